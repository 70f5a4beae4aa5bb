import type { Configuration } from '@quayside/contract/dashboards/library'

/** Kinds of configurations, in the words of the screens. */
export const configurationKinds: Readonly<Record<Configuration['kind'], string>> = {
  links: 'Links',
  variables: 'Variables',
  datasource: 'Data source',
  thresholds: 'Thresholds',
}
