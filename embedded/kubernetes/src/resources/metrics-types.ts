import type { ResourceType } from './resource-type.ts'
import { ANY, type Schema } from './schema.ts'

const schema: Schema = {
  kind: 'struct',
  name: 'V1ObjectMeta',
  fields: () => new Map([['metadata', ANY]]),
  preserveUnknown: true,
}

const metrics = (kind: string, plural: string, namespaced: boolean): ResourceType => ({
  group: 'metrics.k8s.io',
  version: 'v1beta1',
  kind,
  plural,
  singular: '',
  shortNames: [],
  categories: [],
  namespaced,
  verbs: ['get', 'list'],
  subresources: {},
  storage: `metrics.k8s.io/${plural}`,
  storageVersion: 'metrics.k8s.io/v1beta1',
  hasGeneration: false,
  schema,
})

/** Measured when asked for, never kept. */
export const METRICS_TYPES: readonly ResourceType[] = [
  metrics('NodeMetrics', 'nodes', false),
  metrics('PodMetrics', 'pods', true),
]
