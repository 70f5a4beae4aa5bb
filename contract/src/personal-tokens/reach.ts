import { type CapabilityName, type GuardedCall, guardedCalls } from '../capabilities.ts'
import { role } from '../http/policy.ts'
import { roleName } from '../permissions/roles.ts'

/** Everything that a personal token may ask of a capability: its changes as well, what only reads, or nothing. */
type Reach = 'changes' | 'reads' | 'nothing'

/**
 * A token does its owner's work in spaces, the catalog and on clusters. People, their accounts and their rights are
 * changed by who is signed in: a password, a role or an entry of a list would outlive the token.
 */
const reachOf: Record<CapabilityName, Reach> = {
  tenants: 'changes',
  spaces: 'changes',
  apps: 'changes',
  'app-links': 'changes',
  sidebar: 'changes',
  catalog: 'changes',
  clusters: 'changes',
  deployments: 'changes',
  metrics: 'changes',
  cost: 'changes',
  dashboards: 'changes',
  notifications: 'changes',
  permissions: 'reads',
  account: 'reads',
  users: 'reads',
  groups: 'reads',
  roles: 'reads',
  'role-mappings': 'reads',
  clients: 'reads',
  realms: 'reads',
  'identity-providers': 'reads',
  events: 'reads',
  audit: 'reads',
  mail: 'reads',
  'personal-tokens': 'nothing',
  // An address of a receiver can hold a credential.
  webhooks: 'nothing',
}

/** Calls that hand out rights or credentials, in capabilities that tokens otherwise reach. */
const forSessionsAlone: ReadonlySet<string> = new Set([
  // The maker of a space is its owner, and says who else is in it.
  'POST /portal-api/v3/spaces',
  // A kubeconfig works for an hour, whatever becomes of the token.
  'POST /cluster/v1/kubeconfigs',
  'POST /cluster/v1/clusters/:id/rules',
  'DELETE /cluster/v1/clusters/:id/rules/:rule',
  'POST /cluster/v1/approvals/:id/answer',
  'POST /cluster/v1/approvals/:id/end',
  'PUT /cluster/v1/clusters/:id/spaces/:spaceId',
  'POST /dashboard/v3/dashboards/:id/permissions',
  'PUT /dashboard/v3/dashboards/:id/permissions',
  'DELETE /dashboard/v3/dashboards/:id/permissions/:pid',
  'POST /dashboard/v3/dashboards/:id/take-over',
  // A mail that waits can hold a link into an account.
  'GET /iam/v3/outbox/:id',
])

/** Calls about the whole tenant that a token for some spaces makes as well: it could deploy nothing without them. */
const withSpaces: ReadonlySet<string> = new Set([
  'GET /portal-api/v1/limits',
  'GET /portal-api/v2/authz/scopes',
  'GET /portal-api/v3/scopes/mine',
  'GET /portal-api/v3/space-roles',
  'GET /iam/v2/account',
])

const seesCatalog = roleName(role('catalog-apps', 'catalog.view'))

/** The only roles of the tenant that count as such for a token that is narrowed to spaces. */
export const rolesOfSpaceTokens: ReadonlySet<string> = new Set([
  seesCatalog,
  // Says how the values of a deployment may be written, and opens no call.
  roleName(role('catalog-apps', 'catalog.apps.deploy.infrastructure.yaml')),
])

const onlyReads = ({ endpoint }: GuardedCall) => endpoint.method === 'GET' || endpoint.onlyReads === true

/** Tells how a token must be made to be let near a call; everything else is decided by what its owner holds. */
interface TokenCall {
  isOpen: boolean
  onlyReads: boolean
  /** Also for a token that is narrowed to spaces: the call is about things in spaces, or reads what all need. */
  isForSpaces: boolean
}

function tokenCallOf(call: GuardedCall): TokenCall {
  const reach = reachOf[call.capability]
  const reads = onlyReads(call)
  const { kind } = call.policy
  return {
    isOpen: reach !== 'nothing' && (reach === 'changes' || reads) && !forSessionsAlone.has(call.address),
    onlyReads: reads,
    isForSpaces:
      kind === 'scope' ||
      kind === 'filtered' ||
      withSpaces.has(call.address) ||
      // Groups and roles lie in no space, although a right in some space opens a list of them.
      (kind === 'somewhere' && reach === 'changes') ||
      (kind === 'role' && reads && call.policy.anyOf.some((ref) => roleName(ref) === seesCatalog)),
  }
}

/** Every call by its address, such as `GET /portal-api/v2/apps`; what is not in it takes no personal token. */
export const tokenCalls: ReadonlyMap<string, TokenCall> = new Map(
  guardedCalls.map((call) => [call.address, tokenCallOf(call)]),
)
