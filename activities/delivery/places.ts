// Places for attempts to deliver. A receiver that hangs keeps one for ten seconds, so they are shared out: an
// organization gets another one only while it has fewer than are free. However many receivers of others hang, a
// newcomer finds some. The same holds for the places at one host, which subscriptions of many may lead to.

/** How many attempts there may be at a time. */
export interface Room {
  /** Of the process. */
  all: number;
  /** At one host and port. */
  ofOrigin: number;
}

/** The places that a round of deliveries may take, at one origin and for one organization. */
export interface WaitingLine {
  /** Takes a place if there is one for it, and says whether it has. */
  tryTake: () => boolean;
  /** Waits for a place; false when the line is closed. */
  take: () => Promise<boolean>;
  /** Gives a place back. */
  giveBack: () => void;
  /** Takes no more, and sends away who waits. Places that were taken are still given back. */
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
      // A line that has been given one is last the next time.
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

/** A number of places, of which nobody takes so many that others find none. */
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
