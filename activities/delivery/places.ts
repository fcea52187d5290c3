// Places for delivery attempts. A hanging receiver keeps one for ten seconds, so they are rationed: an organization
// gets another only while it has fewer than are free. However many receivers of others hang, a newcomer finds some.
// The same applies to the places at one host, which many organizations' subscriptions may share.

/** The maximum number of concurrent attempts. */
export interface Room {
  /** Per process. */
  all: number;
  /** Per host and port. */
  ofOrigin: number;
}

/** The places a delivery round may take, at one origin and for one organization. */
export interface WaitingLine {
  /** Takes a place if one is available; says whether it did. */
  tryTake: () => boolean;
  /** Waits for a place; false once the line is closed. */
  take: () => Promise<boolean>;
  /** Gives a place back. */
  giveBack: () => void;
  /** Takes no more, and turns waiters away. Places already taken are still given back. */
  close: () => void;
}

interface Waiting {
  tryTake: () => boolean;
  resolvers: ((hasPlace: boolean) => void)[];
}

/** Builds the places of a worker process. */
export function deliveryPlaces({ all, ofOrigin }: Room): { line: (orgId: string, url: string) => WaitingLine } {
  const ofProcess = new FairShare(all);
  const origins = new Map<string, FairShare>();
  const waiting = new Set<Waiting>();
  const handOn = () => {
    for (const line of waiting) {
      if (!line.tryTake()) continue;
      line.resolvers.shift()?.(true);
      // A line that got one goes to the back.
      waiting.delete(line);
      if (line.resolvers.length > 0) waiting.add(line);
    }
  };
  const line = (orgId: string, url: string): WaitingLine => {
    const { origin } = new URL(url);
    const unused = new FairShare(ofOrigin);
    let isClosed = false;
    const tryTake = () => {
      const there = origins.get(origin) ?? unused;
      if (isClosed || !ofProcess.hasPlaceFor(orgId) || !there.hasPlaceFor(orgId)) return false;
      origins.set(origin, there);
      for (const share of [ofProcess, there]) share.add(orgId, 1);
      return true;
    };
    const own: Waiting = { tryTake, resolvers: [] };
    return {
      tryTake,
      take: async () => {
        if (tryTake()) return true;
        if (isClosed) return false;
        waiting.add(own);
        return new Promise((resolve) => own.resolvers.push(resolve));
      },
      giveBack: () => {
        ofProcess.add(orgId, -1);
        const there = origins.get(origin);
        there?.add(orgId, -1);
        if (there?.isUnused) origins.delete(origin);
        handOn();
      },
      close: () => {
        isClosed = true;
        waiting.delete(own);
        for (const resolve of own.resolvers.splice(0)) resolve(false);
      },
    };
  };
  return { line };
}

/** A number of places; no one can take so many that others find none. */
class FairShare {
  readonly #most: number;
  readonly #taken = new Map<string, number>();
  #inUse = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get isUnused(): boolean {
    return this.#inUse === 0;
  }

  hasPlaceFor(orgId: string): boolean {
    return (this.#taken.get(orgId) ?? 0) < this.#most - this.#inUse;
  }

  add(orgId: string, count: 1 | -1): void {
    const own = (this.#taken.get(orgId) ?? 0) + count;
    this.#inUse += count;
    if (own === 0) this.#taken.delete(orgId);
    else this.#taken.set(orgId, own);
  }
}
