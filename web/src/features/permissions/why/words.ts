import type { PermissionEvent, Step, Way } from '@quayside/contract/permissions/endpoints'
import type { NamedPrincipal } from '@quayside/contract/permissions/permission-entry'
import { roleOfId } from '@quayside/contract/permissions/roles'
import { type BuiltInRole, spaceRoles } from '@quayside/contract/permissions/scopes'

const kindWords: Record<NamedPrincipal['type'], string> = {
  user: 'person',
  group: 'group',
  role: 'everybody with this role',
}

/** Second line below a name: 'ines', '/Product Teams/Storefront'. */
export function detailOf({ type, detail, id }: NamedPrincipal): string {
  if (type === 'role') return `${kindWords.role} · ${id}`
  if (type === 'group') return detail ?? 'group'
  return detail ?? 'person'
}

/** How somebody comes to a right: 'directly', 'group Storefront', 'role quayside-operator'. */
export function throughWords({ steps }: Pick<Way, 'steps'>): string {
  const between = steps.filter(({ kind }) => kind === 'group' || kind === 'role')
  if (between.length === 0) return 'directly'
  return between.map(({ kind, name }) => `${kind} ${name}`).join(', ')
}

/** The role that a way grants: 'Manager, owner', or undefined for a role that reaches every space. */
export function roleOfWay({ steps }: { steps: readonly Step[] }): string | undefined {
  const role = steps.find(({ kind }) => kind === 'space-role')?.name
  return steps.some(({ kind }) => kind === 'owner') && role !== undefined ? `${role}, owner` : role
}

/** Durations that people ask and grant for, in hours; null lasts. */
export const durations: readonly { hours: number | null; label: string }[] = [
  { hours: 1, label: '1 hour' },
  { hours: 8, label: '8 hours' },
  { hours: 24, label: '1 day' },
  { hours: 7 * 24, label: '1 week' },
  { hours: 30 * 24, label: '30 days' },
  { hours: null, label: 'Until it is revoked' },
]

/** 'for 8 hours', 'until it is revoked'. */
export function durationWords(hours: number | null): string {
  if (hours === null) return 'until it is revoked'
  const named = durations.find((each) => each.hours === hours)?.label
  if (named !== undefined) return `for ${named}`
  return hours % 24 === 0 ? `for ${hours / 24} days` : `for ${hours} hours`
}

/** 'catalog.publish (catalog-apps)' for `catalog-apps:catalog.publish`. */
export function tenantRoleWords(id: string): string {
  const ref = roleOfId(id)
  return ref ? `${ref.role} (${ref.section})` : id
}

type ExplanationLines = Pick<PermissionEvent, 'what' | 'role' | 'owner'>

const tenantEventWords: Record<PermissionEvent['what'], (role: string) => string> = {
  granted: (role) => `was granted ${role}`,
  changed: (role) => `holds ${role} for longer`,
  removed: (role) => `lost ${role}`,
  expired: (role) => `no longer has ${role}: the grant expired`,
  requested: (role) => `asked for ${role}`,
  declined: (role) => `was refused ${role}`,
  withdrawn: (role) => `withdrew the request for ${role}`,
}

/** A line of the history, after the name of the member that it is about. */
export function eventWords({ what, role: said, owner }: ExplanationLines, isOfTenant = false): string {
  if (isOfTenant) return tenantEventWords[what](said)
  // An expiry is recorded with the role's id instead of its name.
  const role = Object.hasOwn(spaceRoles, said) ? spaceRoles[said as BuiltInRole].name : said
  const given = owner ? `${role} and owner` : role
  const words: Record<PermissionEvent['what'], string> = {
    granted: `was made ${given}`,
    changed: `is now ${given}`,
    removed: `is no longer ${given}`,
    expired: `is no longer ${given}: the grant expired`,
    requested: `asked to be ${role}`,
    declined: `was refused the role ${role}`,
    withdrawn: `withdrew the request to be ${role}`,
  }
  return words[what]
}
