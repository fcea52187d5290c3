// What administrators may do to other users. Our choices; the specification leaves them open: no user changes their
// own row, so an organization always keeps an administrator; only the platform grants and changes platform roles.
import { DomainError, validationError } from '../errors.ts';
import { type Actor, isPlatformRole, type Role, roleMay } from '../permissions.ts';

/** Refuses to grant a platform role, unless the platform grants it. @throws DomainError forbidden */
export function ensureMayGive(actor: Actor, role: Role): void {
  if (!isPlatformRole(role) || isPlatform(actor)) return;
  throw new DomainError('forbidden', `Only a superadmin can assign the role ${role}.`, { permission: 'user:update' });
}

/** Refuses a change to the actor's own row, or to platform users. @throws DomainError forbidden */
export function ensureMayChange(actor: Actor, user: { id: string; role: Role }): void {
  const isSelf = actor.kind === 'user' && actor.id === user.id;
  const isBeyond = isPlatformRole(user.role) && !isPlatform(actor);
  if (!isSelf && !isBeyond) return;
  const message = isSelf
    ? 'You cannot change your own role or access.'
    : 'Only a superadmin can change users with platform roles.';
  throw new DomainError('forbidden', message, { permission: 'user:update' });
}

/**
 * Checks the actor's own row, also locked, against the token, so that two administrators cannot remove each other
 * simultaneously and leave the organization without one. `own` is missing if the actor is not a stored user of the
 * organization.
 * @throws DomainError forbidden
 */
export function ensureStillMay(actor: Actor, own: { role: Role; active: boolean } | undefined): void {
  if (actor.kind !== 'user' || own === undefined || (own.active && roleMay(own.role, 'user:update'))) return;
  throw new DomainError('forbidden', 'This user is no longer an administrator.', { permission: 'user:update' });
}

/** Refuses a producer id with any other role. @throws DomainError validation_failed, rule unknown_field */
export function ensureProducerFits(role: Role, producerId: string | undefined): void {
  if (producerId === undefined || role === 'producer') return;
  throw validationError('producerId', 'unknown_field', 'Only a user with the role producer can belong to a producer.');
}

function isPlatform(actor: Actor): boolean {
  return actor.kind === 'machine' || (actor.kind === 'user' && actor.role === 'superadmin');
}
