/** Names that people do give: without a space, in other scripts and directions, and in both directions at once. */
export const hostileNames = [
  'Abteilungsübergreifendesystemüberwachungsanwendungfürkraftwerksleittechnikxxxxx',
  `${'نظاممراقبةالمحطاتالشمالية'.repeat(3)}`.slice(0, 80),
  '北方港口油泵压力流量温度监测系统'.repeat(5).slice(0, 80),
  '🛰️🚢⚓🏭'.repeat(20).slice(0, 78),
  `Pumpen ${'مراقبةالميناء'.repeat(3)} pressure-and-flow-${'שלום'.repeat(4)}`.slice(0, 80),
  'W'.repeat(80),
] as const

/** Keys under which replies carry what people have named or written. */
const written = new Set([
  ...[
    'displayName',
    'name',
    'title',
    'spaceName',
    'clusterName',
    'catalogItemName',
    'appName',
    'startedBy',
    'username',
  ],
  ...['firstName', 'lastName', 'description', 'shortDescription', 'category', 'manufacturer', 'reason', 'message'],
  ...['stateMessage', 'grantedByName', 'email', 'version', 'label'],
])

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** A row like another one, under an id of its own and with a hostile name wherever it has one. */
export function hostileRow(row: unknown, at: number): unknown {
  const name = hostileNames[at % hostileNames.length] as string
  const changed = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value))
      return key === 'tags' ? [name.slice(0, 40), 'second', 'third'] : value.map((one) => changed(one))
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([each, inner]) => [each, changed(inner, each)]))
    return typeof value === 'string' && written.has(key) ? name : value
  }
  const copy = changed(row)
  if (!isObject(copy)) return copy
  return { ...copy, ...('id' in copy ? { id: `${String(copy.id)}-${at}` } : { name: `${String(copy.name)}-${at}` }) }
}
