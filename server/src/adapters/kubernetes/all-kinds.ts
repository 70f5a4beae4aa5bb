import { z } from 'zod'
import type { ServedType } from './kubernetes.ts'
import type { Transport } from './transport.ts'

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;q=0.5'
const text = z.string().max(300)
const Aggregated = z.looseObject({
  kind: z.literal('APIGroupDiscoveryList'),
  items: z.array(
    z.looseObject({
      metadata: z.looseObject({ name: text.optional() }).optional(),
      versions: z.array(
        z.looseObject({
          version: text,
          resources: z
            .array(
              z.looseObject({
                resource: text,
                scope: text,
                responseKind: z.looseObject({ kind: text }).nullish(),
                subresources: z.array(z.looseObject({ subresource: text })).nullish(),
              }),
            )
            .nullish(),
        }),
      ),
    }),
  ),
})
const Groups = z.looseObject({
  groups: z.array(z.looseObject({ versions: z.array(z.looseObject({ groupVersion: text })) })),
})
const Resources = z.looseObject({
  resources: z.array(z.looseObject({ name: text, kind: text, namespaced: z.boolean() })).nullish(),
})
const mostVersions = 300

/** Every kind that the API serves: in two calls where it can tell all at once, else group by group. */
export async function allKinds(transport: Transport): Promise<ServedType[]> {
  const answers = await Promise.all(['/api', '/apis'].map((path) => transport.json({ path, accept: aggregated })))
  const lists = answers.map((answer) => Aggregated.safeParse(answer))
  if (lists.every((list) => list.success))
    return lists.flatMap((list) => (list.success ? fromAggregated(list.data) : []))
  const groups = Groups.safeParse(answers[1])
  const versions = (groups.data?.groups ?? []).flatMap((group) =>
    group.versions.map(({ groupVersion }) => groupVersion),
  )
  const found = await Promise.all(
    ['v1', ...versions.slice(0, mostVersions)].map((version) => ofVersion(transport, version)),
  )
  return found.flat()
}

function fromAggregated({ items }: z.infer<typeof Aggregated>): ServedType[] {
  return items.flatMap(({ metadata, versions }) =>
    versions.flatMap(({ version, resources }) => {
      const apiVersion = metadata?.name ? `${metadata.name}/${version}` : version
      return (resources ?? []).flatMap(({ resource, scope, responseKind, subresources }) => {
        if (!responseKind?.kind) return []
        const parts = (subresources ?? []).map(({ subresource }) => subresource)
        return [{ apiVersion, kind: responseKind.kind, namespaced: scope === 'Namespaced', resource, parts }]
      })
    }),
  )
}

async function ofVersion(transport: Transport, apiVersion: string): Promise<ServedType[]> {
  const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  // A group whose server is away does not hide the others.
  const answer = await transport.json({ path }).catch(() => ({}))
  const list = Resources.safeParse(answer)
  const resources = list.data?.resources ?? []
  const partsOf = (resource: string) =>
    resources.filter(({ name }) => name.startsWith(`${resource}/`)).map(({ name }) => name.slice(resource.length + 1))
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, kind, namespaced }) => ({ apiVersion, kind, namespaced, resource: name, parts: partsOf(name) }))
}
