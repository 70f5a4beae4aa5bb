import type { CatalogVersionDetail } from '@quayside/contract/catalog/endpoints'

interface FactChange {
  name: string
  before: string
  after: string
}

const none = '–'
const listed = (list: readonly string[]) => list.toSorted().join(', ') || none

/** The facts that differ between two versions of an item. */
export function changedFacts(before: CatalogVersionDetail, after: CatalogVersionDetail): FactChange[] {
  const [old, next] = [factsOf(before), factsOf(after)]
  return Object.keys(old)
    .map((name) => ({ name, before: old[name] ?? none, after: next[name] ?? none }))
    .filter((fact) => fact.before !== fact.after)
}

function factsOf(version: CatalogVersionDetail): Record<string, string> {
  return {
    'App version': version.appVersion ?? none,
    Kubernetes: version.kubeVersion ?? 'any',
    Description: version.description || none,
    Contains: listed(version.dependencies.map(({ name, version: of }) => `${name} ${of}`)),
    'Resource roles': listed(version.resourceRoles),
    Keywords: listed(version.keywords),
    Maintainers: listed(version.maintainers.map(({ name }) => name)),
    Home: version.home ?? none,
    Sources: listed(version.sources),
    Deprecated: version.deprecated ? 'yes' : 'no',
  }
}
