// The relation to a row that a role needs for an action, in addition to its line in the permission table. Spec 5.8,
// Contract 2.
import type { Action, Role } from '../permission-table.ts';

export type RelationKind = 'member' | 'adjuster' | 'participant' | 'operator' | 'any';

/** The relation to the row that a role needs for an action, in addition to its line in the table. */
export function relationOf(role: Role, action: Action): RelationKind {
  const resource = action.slice(0, action.indexOf(':'));
  if (action === 'delegation:end') return 'participant';
  if (resource === 'deal_room') return relationToRoom(role, action);
  if (role === 'producer') return 'member';
  if (role === 'claims_adjuster' && action !== 'claim:create') return 'adjuster';
  if (role === 'platform_operator' && action === 'organization:read') return 'operator';
  return 'any';
}

/** A room exists for its participants; an auditor reads every room, and a new room has no participants yet. */
function relationToRoom(role: Role, action: Action): RelationKind {
  return role === 'auditor' || action === 'deal_room:create' ? 'any' : 'participant';
}
