// Which of an organization's contracts governs a policy, and whether changing one shifts business it governed to
// another. Contract 3.10.

import type { AuthorityContract } from './authority.ts';

type Governing = Pick<AuthorityContract, 'id' | 'status' | 'year' | 'linesOfBusiness' | 'states'>;

/** The tie-breakers between contracts whose year matches. */
export interface Coverage {
  lineOfBusiness?: string;
  state?: string;
}

/**
 * Sorts contracts with a matching year, given newest first, so that the governing one comes first. A contract for the
 * specific year precedes one for every year, active precedes suspended, then comes one with the line and the state,
 * then the newest. A draft, expired or terminated one governs only if there is no other.
 */
export function byPrecedence<C extends Governing>(contracts: readonly C[], coverage: Coverage): C[] {
  return [...contracts].sort((a, b) => precedence(b, coverage) - precedence(a, coverage));
}

/**
 * Whether a change shifts a line in a state from this contract to another one that allows it, with possibly higher
 * limits and a separate volume. Narrowing or suspending the contract is then not a tightening.
 * @param contracts those of the contract's year and of every year, newest first
 */
export function handsOver(contracts: readonly Governing[], id: string, patch: Partial<Governing>): boolean {
  const after = contracts.map((contract) => (contract.id === id ? { ...contract, ...patch } : contract));
  const isHandedOver = (coverage: Coverage) => {
    const [before] = byPrecedence(contracts, coverage);
    const [now] = byPrecedence(after, coverage);
    return before?.id === id && now !== undefined && now.id !== id && now.status === 'active' && covers(now, coverage);
  };
  return contracts
    .filter((contract) => contract.id === id)
    .flatMap(({ linesOfBusiness, states }) =>
      linesOfBusiness.flatMap((lineOfBusiness) => states.map((state) => ({ lineOfBusiness, state }))),
    )
    .some(isHandedOver);
}

function precedence(contract: Governing, coverage: Coverage): number {
  const stands = contract.status === 'active' || contract.status === 'suspended';
  const answers = [stands, contract.year !== null, contract.status === 'active', covers(contract, coverage)];
  return answers.reduce((sum, answer) => sum * 2 + Number(answer), 0);
}

function covers(contract: Governing, { lineOfBusiness, state }: Coverage): boolean {
  return (
    (lineOfBusiness === undefined || contract.linesOfBusiness.includes(lineOfBusiness)) &&
    (state === undefined || contract.states.includes(state))
  );
}
