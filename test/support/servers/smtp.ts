// A mail server for tests.
import { createServer, type Socket } from 'node:net';

export interface SmtpServer {
  /** smtp:// address. */
  url: string;
  /** What it received, verbatim. */
  received: string[];
  /** How many connections are open. */
  connections: () => number;
  /** Stops it along with all its connections. */
  close: () => Promise<void>;
}

/** Accepts everything except commands with a reply of their own; a silent one accepts connections and never replies. */
export async function startSmtpServer({ replies = {}, isSilent = false }: Behavior = {}): Promise<SmtpServer> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    if (!isSilent) converse(socket, received, replies);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { url: `smtp://127.0.0.1:${port}`, received, connections: () => sockets.size, close };
}

interface Behavior {
  /** First four letters of a command → its reply. */
  replies?: Record<string, string>;
  isSilent?: boolean;
}

function converse(socket: Socket, received: string[], replies: Record<string, string>): void {
  let inData = false;
  socket.write('220 ready\r\n');
  socket.on('data', (chunk) => {
    const text = chunk.toString();
    received.push(text);
    const refusal = replies[text.slice(0, 4).toUpperCase()];
    if (refusal !== undefined) {
      socket.write(`${refusal}\r\n`);
    } else if (inData) {
      if (!text.endsWith('\r\n.\r\n')) return;
      inData = false;
      socket.write('250 kept\r\n');
    } else if (/^DATA/i.test(text)) {
      inData = true;
      socket.write('354 go on\r\n');
    } else if (/^QUIT/i.test(text)) {
      socket.end('221 bye\r\n');
    } else socket.write('250 ok\r\n');
  });
}
