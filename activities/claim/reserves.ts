/** A claim's reserves: absolute new values, each with its own entry. Contract 3.3. */
import type { ReservePayload } from '../../contracts/claim.ts';
import { nextClaimStatus } from '../../domain/claim/claim.ts';
import { reserved, sumOfAmounts } from '../../domain/claim/figures.ts';
import { judgeOf } from '../../plans/authority/own-authority.ts';
import { claimFacts } from '../../plans/authority/resource-facts.ts';
import { columnsOf, figuresOf } from '../../plans/claim/claim-figures.ts';
import type { Deps } from '../context.ts';
import { actOf, claimCommand } from './claim-command.ts';
import { publishReserves, record, shownFacts } from './claim-history.ts';

/** Sets the reserves, within the actor's own authority. @throws DomainError forbidden, reserve_too_low */
export const reserveClaim = (deps: Deps) =>
  claimCommand<ReservePayload>(deps, 'reserveClaim', async (step) => {
    const { em, command, claim } = step;
    const { reserves, noteId } = command.payload;
    const judge = await judgeOf(em, command, 'claim:reserve');
    judge({ ...claimFacts(claim), reserveCents: sumOfAmounts(reserves) });
    const before = shownFacts(claim);
    claim.status = nextClaimStatus(claim.status, 'reserve');
    Object.assign(claim, columnsOf(reserved(figuresOf(claim), reserves)));
    record(em, claim, { act: actOf(step), action: 'reserve', before, noteId });
    publishReserves(em, claim, new Date(deps.now()));
  });
