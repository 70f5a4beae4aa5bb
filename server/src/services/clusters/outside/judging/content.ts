import { type Fields, fieldsOf } from '../../workloads/fields.ts'

/**
 * Marks that name the version of a chart, and so change with each upgrade while nothing else does, and the one that Helm
 * itself adds to what it hands over before it applies it.
 */
const withoutEffect = new Set([
  'helm.sh/chart',
  'app.kubernetes.io/version',
  'chart',
  'postrenderer.helm.sh/postrender-filename',
])

/** Labels, annotations and the like: others choose objects by them, and programs follow what they say. */
export function marksOf(body: Fields): unknown {
  const { name: _, namespace: __, labels, annotations, ...rest } = fieldsOf(body.metadata)
  const kept = (marks: unknown) =>
    Object.fromEntries(Object.entries(fieldsOf(marks)).filter(([key]) => !withoutEffect.has(key)))
  return [kept(labels), kept(annotations), rest]
}

/** All that an object says apart from what it is called; `status` among it, which is not of every kind the cluster's own. */
export function contentOf({ apiVersion: _, kind: __, metadata: ___, ...content }: Fields): Fields {
  return content
}

/** A definition without its schemas, which give nobody a right, and without certificates, which charts make anew. */
export function definedBy({ versions, conversion, ...spec }: Fields): unknown {
  const { webhook, ...how } = fieldsOf(conversion)
  const { clientConfig, ...asked } = fieldsOf(webhook)
  const { caBundle: _, ...where } = fieldsOf(clientConfig)
  const served = Array.isArray(versions) ? versions.map(fieldsOf) : []
  return [
    spec,
    { ...how, asked, where },
    served.map(({ schema: _, additionalPrinterColumns: __, ...version }) => version),
  ]
}
