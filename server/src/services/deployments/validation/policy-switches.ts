type Path = string[]

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const deepest = 8
const most = 30

/** Values `networkPolicy.enabled` that are true, wherever they stand. */
function switchesIn(values: unknown, path: Path = []): Path[] {
  if (!isRecord(values) || path.length > deepest) return []
  return Object.entries(values).flatMap(([key, value]) => {
    const here = [...path, key]
    const isSwitch = key.toLowerCase() === 'networkpolicy' && isRecord(value) && value.enabled === true
    return isSwitch ? [[...here, 'enabled']] : switchesIn(value, here)
  })
}

/**
 * Charts that a chart brings along have values that the chart's own may not name. Where a template lies says which chart
 * it is of, and often of which of its components: `shop/charts/db/templates/primary/networkpolicy.yaml`.
 */
function placeOfTemplate(source: string): { chart: Path; component: Path } | undefined {
  const [folders = '', template] = source.split('/templates/')
  const [, ...chart] = folders.split('/charts/')
  if (template === undefined) return undefined
  return { chart, component: template.split('/').slice(0, -1) }
}

/** The switch that stands where the template lies; one of the chart itself has to be among its values. */
function ownSwitches({ chart, component }: { chart: Path; component: Path }, known: readonly Path[]): Path[] {
  const own = [...chart, ...component, 'networkPolicy', 'enabled']
  const found = known.filter((path) => path.join('/').toLowerCase() === own.join('/').toLowerCase())
  return found.length === 0 && chart.length > 0 ? [own] : found
}

const unique = (paths: readonly Path[]): Path[] => [
  ...new Map(paths.map((path) => [JSON.stringify(path), path])).values(),
]

/**
 * Values that may leave network policies of a release out once they are false, as lists to be tried one after the other:
 * first the switches of the policies themselves, so that others stay, and then every one that the chart has. Charts agree
 * on the name `networkPolicy.enabled`, and on nothing more.
 * @param sources templates of the policies, as Helm names them
 * @param values those of the chart with the chosen ones laid over
 */
export function policySwitches(sources: readonly string[], values: unknown): Path[][] {
  const known = switchesIn(values)
  const all = sources.flatMap((source) => placeOfTemplate(source) ?? [])
  const places = all.filter(({ chart }) => chart.length > 0)
  const ofCharts = places.map(({ chart }) => [...chart, 'networkPolicy', 'enabled'])
  const ofComponents = places
    .filter(({ component }) => component.length > 0)
    .map(({ chart, component }) => [...chart, ...component, 'networkPolicy', 'enabled'])
  const lists = [
    // The chart's own first, then those of its parts.
    all.flatMap((place) => ownSwitches(place, known)).sort((one, other) => one.length - other.length),
    [...known, ...ofCharts],
    [...known, ...ofComponents],
    [...known, ...ofCharts, ...ofComponents],
  ].map((paths) => unique(paths).slice(0, most))
  return lists.filter(
    (paths, index) =>
      paths.length > 0 && lists.findIndex((other) => JSON.stringify(other) === JSON.stringify(paths)) === index,
  )
}
