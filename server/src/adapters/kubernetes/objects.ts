import { z } from 'zod'
import type { KubeObject } from './kubernetes.ts'
import { KubeRefusal } from './transport.ts'

const Owner = z.looseObject({ apiVersion: z.string(), kind: z.string(), name: z.string(), uid: z.string() })
const texts = z.record(z.string(), z.string())
const Metadata = z.looseObject({
  name: z.string(),
  namespace: z.string().optional(),
  uid: z.string().optional(),
  resourceVersion: z.string().optional(),
  creationTimestamp: z.string().optional(),
  labels: texts.nullish().transform((value) => value ?? undefined),
  annotations: texts.nullish().transform((value) => value ?? undefined),
  ownerReferences: z
    .array(Owner.extend({ controller: z.boolean().optional() }))
    .nullish()
    .transform((value) => value ?? undefined),
})
const Loose = z.looseObject({ apiVersion: z.string().optional(), kind: z.string().optional(), metadata: Metadata })
const List = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ resourceVersion: z.string().optional(), continue: z.string().optional() }).default({}),
  items: z.array(z.unknown()).nullish(),
})

export interface ListPage {
  items: KubeObject[]
  resourceVersion: string | undefined
  continueAt: string | undefined
}

/** A cluster is not trusted to answer with objects: what has no shape of one is refused. */
export function asObject(value: unknown): KubeObject {
  const parsed = Loose.safeParse(value)
  if (!parsed.success) throw notAnObject()
  return { apiVersion: '', kind: '', ...parsed.data }
}

/** The object that a deletion has answered with because finalizers hold it; undefined when nothing does. */
export function asHeld(value: unknown): KubeObject | undefined {
  const { success, data } = Loose.safeParse(value)
  const isHeld = success && Array.isArray(data.metadata.finalizers) && data.metadata.finalizers.length > 0
  return isHeld ? asObject(value) : undefined
}

export function asPage(value: unknown): ListPage {
  const parsed = List.safeParse(value)
  if (!parsed.success) throw notAnObject()
  const { apiVersion, kind, items, metadata } = parsed.data
  // Items of a typed list do not repeat what they are.
  const said = { apiVersion, kind: kind.replace(/List$/, '') }
  return {
    items: (items ?? []).flatMap((item) => {
      const object = Loose.safeParse(item)
      return object.success ? [{ ...said, ...object.data }] : []
    }),
    resourceVersion: metadata.resourceVersion,
    continueAt: metadata.continue || undefined,
  }
}

function notAnObject(): KubeRefusal {
  return new KubeRefusal(200, 'NotAnObject', 'The cluster answered with something that is not an object.')
}
