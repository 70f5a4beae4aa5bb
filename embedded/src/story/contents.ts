import { CoreV1Api, KubeConfig, RbacAuthorizationV1Api } from '@kubernetes/client-node'
import pg from 'pg'
import type { World } from '../world.ts'

/** Every thing of a World by its place, `{table or kind} {key}`, with what is known of it as JSON. */
export type Contents = ReadonlyMap<string, string>

/** Tables that say what has happened, or that a server keeps for itself: they grow while nothing is left behind. */
const records = new Set([
  ...[
    'action',
    'action_audit',
    'action_event',
    'action_rights',
    'app_outage',
    'audit_entry',
    'cost_clocks',
    'cost_hours',
    'handed_out_kubeconfig',
    'notification_mark',
    'notification_person',
    'metrics_collections',
    'permission_event',
    'price_sheets',
  ],
  ...[
    'admin_event',
    'broker_sign_in',
    'consent',
    'ended_session',
    'login_attempt',
    'login_event',
    'login_failure',
    'oidc_artifact',
    'refused_token',
    'sign_in',
    'unlocking',
  ],
])
/** Columns that the servers write by themselves. */
const kept = [
  'bytes',
  'checked_at',
  'facts',
  'health',
  'health_message',
  'icon_tried_at',
  'updated_at',
  'version_count',
]

/** Reads all that somebody has made in a World, from both databases and the cluster, whichever door it came by. */
export async function contentsOf(world: Where): Promise<Contents> {
  const [portal, identity, cluster] = await Promise.all([
    rowsOf(world.databaseUrl),
    rowsOf(world.identityDatabaseUrl),
    objectsOf(world.kubeconfig),
  ])
  const namespaces = [...portal].flatMap(([place, row]) => (place.startsWith('spaces ') ? [namespaceOf(row)] : []))
  const trash = portal.flatMap(([place, row]) => (isTrashed(place, row) ? [place.replace('dashboards ', '')] : []))
  return new Map([...portal, ...identity, ...cluster].filter(([place, row]) => !isKept(place, row, namespaces, trash)))
}
type Where = Pick<World, 'databaseUrl' | 'identityDatabaseUrl' | 'kubeconfig'>

/** Things that a first deployment makes for good, and rows that wait for the portal's next sweep. */
function isKept(place: string, row: string, namespaces: string[], trash: string[]): boolean {
  const [table = '', name = ''] = place.split(' ')
  // Answers to requests for roles of the tenant stay for some time, as do those in a space.
  if (table === 'access_request') return row.includes('"space_id": null') && !row.includes('"state": "open"')
  if (isTrashed(place, row)) return true
  if (table === 'dashboard_permissions') return trash.some((id) => row.includes(`"${id}"`))
  if (table === 'held_outside') return row.includes('"is_gone": true')
  if (table === 'space_isolation') return firstIsolation.every((part) => row.includes(part))
  if (!['Namespace', 'ClusterRole', 'ClusterRoleBinding'].includes(table)) return false
  return /^quayside[:-]/.test(name) || namespaces.some((namespace) => name.startsWith(namespace))
}
/** A dashboard that was deleted can be restored for some time, with whom it was shared. */
const isTrashed = (place: string, row: string) => place.startsWith('dashboards ') && !row.includes('"deleted_at": null')
const firstIsolation = ['"network": "standard"', '"pod_security": "baseline"']

function namespaceOf(row: string): string {
  const { name, id } = JSON.parse(row) as { name: string; id: string }
  return `${name}-${id}`
}

const keys = `select table_name as "table", array_agg(column_name::text order by ordinal_position) as columns
  from information_schema.table_constraints join information_schema.key_column_usage
    using (table_schema, table_name, constraint_name)
  where constraint_type = 'PRIMARY KEY' and table_schema = current_schema() group by table_name`

async function rowsOf(connectionString: string): Promise<[place: string, row: string][]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    // The portal's tables show the rows of one tenant, or all of them to whoever says so.
    await client.query(`select set_config('app.tenant', '*', false)`)
    const tables = await client.query<{ table: string; columns: string[] }>(keys)
    const parts = tables.rows
      .filter(({ table }) => !records.has(table))
      .map(({ table, columns }) => {
        const key = columns.map((name) => pg.escapeIdentifier(name)).join(', ')
        return `select concat_ws(' ', ${pg.escapeLiteral(table)}, ${key}) as place,
          (to_jsonb(one) - $1::text[])::text as row from ${pg.escapeIdentifier(table)} one`
      })
    const { rows } = await client.query<{ place: string; row: string }>(parts.join(' union all '), [kept])
    return rows.map(({ place, row }) => [place, row])
  } finally {
    await client.end()
  }
}

/** Objects of the cluster as a whole, and those in namespaces that outlive a release. */
async function objectsOf(kubeconfig: string): Promise<[place: string, object: string][]> {
  const config = new KubeConfig()
  config.loadFromFile(kubeconfig)
  const [core, rbac] = [config.makeApiClient(CoreV1Api), config.makeApiClient(RbacAuthorizationV1Api)]
  const [nodes, namespaces, roles, bindings, volumes, claims, releases] = await Promise.all([
    core.listNode(),
    core.listNamespace(),
    rbac.listClusterRole(),
    rbac.listClusterRoleBinding(),
    core.listPersistentVolume(),
    core.listPersistentVolumeClaimForAllNamespaces(),
    core.listSecretForAllNamespaces({ labelSelector: 'owner=helm' }),
  ])
  const named = (kind: string, { items }: { items: { metadata?: { name?: string; namespace?: string } }[] }) =>
    items.map(({ metadata }): [string, string] => [
      [kind, metadata?.namespace, metadata?.name].filter(Boolean).join(' '),
      '',
    ])
  return [
    ...nodes.items.map(({ metadata, spec }): [string, string] => [
      `Node ${metadata?.name}`,
      JSON.stringify({ unschedulable: spec?.unschedulable === true }),
    ]),
    ...named('Namespace', namespaces),
    ...named('ClusterRole', roles),
    ...named('ClusterRoleBinding', bindings),
    ...named('PersistentVolume', volumes),
    ...named('PersistentVolumeClaim', claims),
    ...named('Release', releases),
  ]
}
