import type { ResourceType } from '../resources/resource-type.ts'
import { type ServedGroup, servedGroups } from './groups.ts'

const groupVersion = (group: string, version: string) => ({
  groupVersion: group ? `${group}/${version}` : version,
  version,
})

/** The answer of `/api`. */
export const coreVersions = (address: string) => ({
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
})

function apiGroup({ name, versions }: ServedGroup) {
  const list = versions.map(({ version }) => groupVersion(name, version))
  return { name, versions: list, preferredVersion: list[0] }
}

/** The answer of `/apis`. */
export const groupList = (types: readonly ResourceType[]) => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: servedGroups(types)
    .filter(({ name }) => name !== '')
    .map(apiGroup),
})

/** The answer of `/apis/{group}`. */
export function oneGroup(types: readonly ResourceType[], name: string) {
  const found = servedGroups(types).find((group) => group.name === name && name !== '')
  return found && { kind: 'APIGroup', apiVersion: 'v1', ...apiGroup(found) }
}

function legacyEntries(type: ResourceType) {
  const main = {
    name: type.plural,
    singularName: type.singular,
    namespaced: type.namespaced,
    kind: type.kind,
    verbs: type.verbs,
    ...(type.shortNames.length > 0 ? { shortNames: type.shortNames } : {}),
    ...(type.categories.length > 0 ? { categories: type.categories } : {}),
  }
  const parts = Object.entries(type.subresources).map(([name, part]) => ({
    name: `${type.plural}/${name}`,
    singularName: '',
    namespaced: type.namespaced,
    ...(part.version ? { group: part.group, version: part.version } : {}),
    kind: part.kind,
    verbs: part.verbs,
  }))
  return [main, ...parts]
}

/** The answer of `/api/v1` and `/apis/{group}/{version}`. */
export function resourceList(types: readonly ResourceType[], group: string, version: string) {
  const members = types.filter((type) => type.group === group && type.version === version)
  if (members.length === 0) return undefined
  return {
    kind: 'APIResourceList',
    ...(group ? { apiVersion: 'v1' } : {}),
    groupVersion: group ? `${group}/${version}` : version,
    resources: members.flatMap(legacyEntries).sort((a, b) => (a.name < b.name ? -1 : 1)),
  }
}

function aggregatedResource(type: ResourceType) {
  const subresources = Object.entries(type.subresources).map(([name, part]) => ({
    subresource: name,
    responseKind: { group: part.group ?? type.group, version: part.version ?? type.version, kind: part.kind },
    verbs: part.verbs,
  }))
  return {
    resource: type.plural,
    responseKind: { group: type.group, version: type.version, kind: type.kind },
    scope: type.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: type.singular,
    verbs: type.verbs,
    ...(type.shortNames.length > 0 ? { shortNames: type.shortNames } : {}),
    ...(type.categories.length > 0 ? { categories: type.categories } : {}),
    ...(subresources.length > 0 ? { subresources } : {}),
  }
}

/** All of discovery in one document: of the core group, or of all others. */
export function aggregated(types: readonly ResourceType[], core: boolean) {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: servedGroups(types)
      .filter(({ name }) => (name === '') === core)
      .map(({ name, versions }) => ({
        metadata: name ? { name, creationTimestamp: null } : { creationTimestamp: null },
        versions: versions.map(({ version, types: members }) => ({
          version,
          resources: members.map(aggregatedResource),
          freshness: 'Current',
        })),
      })),
  }
}

export const AGGREGATED_TYPE = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
