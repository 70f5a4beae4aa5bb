import type { PolicyRule } from '../../auth/rules.ts'
import type { Pod } from '../engine/pod-kinds.ts'
import type { TypedStore } from '../engine/typed-store.ts'

/** A program that may create Secrets, with all it was told: its arguments, its environment, its ConfigMaps. */
export interface SecretMaker {
  pod: string
  /** Names that its roles give it rights to. */
  names: ReadonlySet<string>
  text: string
  /** Names it was given that it may build others from, as in `STATEFULSET_NAME=db` and then `db-node-secret`. */
  stems: readonly string[]
}

const STEM = /^[a-z0-9](?:[-a-z0-9]{1,61}[a-z0-9])$/
const concerns = (list: readonly string[] | undefined, value: string) => list?.includes('*') || list?.includes(value)

/** Secrets that a pod's programs could create; undefined when its service account must not create any. */
export function secretMaker(store: TypedStore, pod: Pod, rules: readonly PolicyRule[]): SecretMaker | undefined {
  const own = rules.filter(({ apiGroups, resources }) => concerns(apiGroups, '') && concerns(resources, 'secrets'))
  if (!own.some(({ verbs, resourceNames }) => concerns(verbs, 'create') && !resourceNames?.length)) return undefined
  const containers = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])]
  const told = containers.flatMap(({ command, args, env }) => [
    ...(command ?? []),
    ...(args ?? []),
    ...(env ?? []).flatMap(({ value }) => value ?? []),
  ])
  const stems = told.flatMap((words) => words.split(/[\s=,"']+/)).filter((word) => STEM.test(word))
  return {
    pod: pod.metadata.name,
    names: new Set(own.flatMap(({ resourceNames }) => resourceNames ?? [])),
    text: [...told, ...configurationOf(store, pod)].join('\n'),
    stems,
  }
}

/** Everything in the ConfigMaps that a pod's programs can read. */
function configurationOf(store: TypedStore, { metadata, spec }: Pod): string[] {
  const volumes = (spec.volumes ?? []).flatMap(({ configMap, projected }) => [
    configMap?.name,
    ...(projected?.sources ?? []).map((source) => source.configMap?.name),
  ])
  const containers = [...spec.containers, ...(spec.initContainers ?? [])]
  const environment = containers.flatMap(({ env, envFrom }) => [
    ...(env ?? []).map(({ valueFrom }) => valueFrom?.configMapKeyRef?.name),
    ...(envFrom ?? []).map(({ configMapRef }) => configMapRef?.name),
  ])
  return [...new Set([...volumes, ...environment])].flatMap((name) => {
    const found = name ? store.get('/configmaps', metadata.namespace, name) : undefined
    return Object.values(found?.data ?? {})
  })
}

/** Tells whether the program speaks of this Secret, or has rights to it by name. */
export function knowsSecret({ names, text }: SecretMaker, name: string): boolean {
  if (names.has(name)) return true
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!/[-a-z0-9.]/.test(text[at - 1] ?? ' ') && !/[-a-z0-9]/.test(text[at + name.length] ?? ' ')) return true
  }
  return false
}

/** Tells whether the Secret's name is built on one that the program was given. */
export function mayNameSecret({ stems }: SecretMaker, name: string): boolean {
  return stems.some((stem) => name.startsWith(`${stem}-`))
}
