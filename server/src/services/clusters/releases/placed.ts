import type { ManifestObject } from '../../../adapters/helm/manifest.ts'
import type { KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { fieldsOf } from '../workloads/fields.ts'

/** Tells whether an object of a manifest is not in the namespace of its release. */
export function isOutside({ namespace }: ManifestObject, isNamespaced: boolean, within: string): boolean {
  return !isNamespaced || (namespace !== undefined && namespace !== within)
}

/** An object of a manifest where the release would put it. */
export function placed(
  { body, apiVersion, kind, name, namespace }: ManifestObject,
  within: string | undefined,
): KubeObject {
  const metadata = {
    ...fieldsOf(body.metadata),
    name,
    ...(within === undefined ? {} : { namespace: namespace ?? within }),
  }
  return { ...body, apiVersion, kind, metadata }
}
