/** Things that series are about, from the smallest to the largest. */
export type Level = 'pod' | 'app' | 'space' | 'node' | 'cluster'
export type Resource = 'cpu' | 'memory'
export type LineOf = 'usage' | 'requests' | 'limits' | 'capacity'

const units = { cpu: 'cores', memory: 'bytes' } as const

/** The name of a metric, such as `quayside_app_cpu_usage_cores`. */
export const metricOf = (level: Level, resource: Resource, line: LineOf): string =>
  `quayside_${level}_${resource}_${line}_${units[resource]}`
