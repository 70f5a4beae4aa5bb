import type { CapabilityName, GuardedCall } from '@quayside/contract/capabilities'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { callsOf } from '@quayside/embedded/portal-calls'
import type { World } from '@quayside/embedded/world'

/** Personal tokens of one administrator, by how they are narrowed. */
export type Tokens = Record<'whole' | 'readOnly' | 'ofSpace', string>

export async function makeTokens(world: World, spaceId: string): Promise<Tokens> {
  const owner = await world.personWith({ realmRoles: ['quayside-admin'] })
  const { good } = callsOf(world, (await signInAsPerson(world, owner)).access_token)
  const make = async (more: object) =>
    (await good<{ secret: string }>('/iam/v3/account/tokens', { body: { name: 'Script', days: 1, ...more } })).secret
  const [whole, readOnly, ofSpace] = [
    await make({}),
    await make({ readOnly: true }),
    await make({ spaceIds: [spaceId] }),
  ]
  return { whole, readOnly, ofSpace }
}

/** People, their accounts and their rights are changed by somebody who is signed in. */
const onlyRead: ReadonlySet<CapabilityName> = new Set<CapabilityName>([
  ...(['account', 'users', 'groups', 'roles', 'role-mappings', 'clients', 'permissions'] as const),
  ...(['realms', 'mail', 'identity-providers', 'events', 'audit'] as const),
])

const handsOut = [
  /^POST .*\/v3\/spaces$/,
  /^POST .*\/kubeconfigs$/,
  /^\w+ .*\/clusters\/:id\/rules/,
  /^POST .*\/approvals\/:id\/(answer|end)$/,
  /^PUT .*\/clusters\/:id\/spaces\//,
  /^\w+ .*\/dashboards\/:id\/permissions/,
  /^POST .*\/dashboards\/:id\/take-over$/,
  /\/outbox\/:id$/,
]

const isOfTenant = ({ policy, address, capability }: GuardedCall) =>
  policy.kind === 'signed-in' ||
  policy.kind === 'role' ||
  // Groups and roles of the tenant, although a right in a space lets people choose among them.
  (policy.kind === 'somewhere' && onlyRead.has(capability))
    ? !/\/catalog\/|\/limits$|\/scopes|space-roles|\/v2\/account$/.test(address)
    : false

/** The answer of the promises about tokens, without any of the server's own code. */
export function mustBeRefused(call: GuardedCall, kind: keyof Tokens): boolean {
  const { endpoint, capability, address } = call
  const isRead = endpoint.method === 'GET' || endpoint.onlyReads === true
  if (capability === 'personal-tokens') return true
  if (!isRead && (kind === 'readOnly' || onlyRead.has(capability))) return true
  if (handsOut.some((form) => form.test(address)) && !(isRead && !address.includes('outbox'))) return true
  return kind === 'ofSpace' && isOfTenant(call)
}
