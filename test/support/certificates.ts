// Certificates for a test: its own certificate authority, and a server or client that it certifies.
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import forge from 'node-forge';

/** All in PEM. */
export interface Certified {
  key: string;
  certificate: string;
  /** The authority that issued it. */
  authority: string;
}

const DAY_MS = 86_400_000;
const generateKeys = promisify(forge.pki.rsa.generateKeyPair) as (options: {
  bits: number;
}) => Promise<forge.pki.rsa.KeyPair>;

/** Makes an authority; each name passed in gets a certificate for `localhost` and 127.0.0.1. */
export async function createAuthority(): Promise<(name: string) => Promise<Certified>> {
  const own = await generateKeys({ bits: 2048 });
  const authority = certificateOf('Test authority', own, { name: 'Test authority', keys: own, isAuthority: true });
  return async (name) => {
    const keys = await generateKeys({ bits: 2048 });
    const certificate = certificateOf(name, keys, { name: 'Test authority', keys: own, isAuthority: false });
    const { privateKeyToPem, certificateToPem } = forge.pki;
    return {
      key: privateKeyToPem(keys.privateKey),
      certificate: certificateToPem(certificate),
      authority: certificateToPem(authority),
    };
  };
}

interface Issuer {
  name: string;
  keys: forge.pki.rsa.KeyPair;
  /** Whether it is self-signed. */
  isAuthority: boolean;
}

function certificateOf(name: string, { publicKey }: forge.pki.rsa.KeyPair, issuer: Issuer): forge.pki.Certificate {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = publicKey;
  certificate.serialNumber = `01${randomBytes(8).toString('hex')}`;
  certificate.validity.notBefore = new Date(Date.now() - DAY_MS);
  certificate.validity.notAfter = new Date(Date.now() + DAY_MS);
  certificate.setSubject([{ name: 'commonName', value: name }]);
  certificate.setIssuer([{ name: 'commonName', value: issuer.name }]);
  const names = [
    { type: 2, value: 'localhost' },
    { type: 7, ip: '127.0.0.1' },
  ];
  certificate.setExtensions([
    { name: 'basicConstraints', cA: issuer.isAuthority, critical: true },
    ...(issuer.isAuthority ? [{ name: 'keyUsage', keyCertSign: true }] : [{ name: 'subjectAltName', altNames: names }]),
  ]);
  certificate.sign(issuer.keys.privateKey, forge.md.sha256.create());
  return certificate;
}
