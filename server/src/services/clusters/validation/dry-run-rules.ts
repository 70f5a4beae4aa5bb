import type { ManifestObject } from '../../../adapters/helm/manifest.ts'
import { fieldsOf, textOf } from '../workloads/fields.ts'

const ofInstallation = /^(?:crd-install|(?:pre|post)-(?:install|upgrade))$/

/**
 * Tells whether an installation or an upgrade makes this object: hooks of tests, of deletions and of rollbacks come
 * later or never.
 */
export function isMade({ body }: ManifestObject): boolean {
  const hook = textOf(fieldsOf(fieldsOf(body.metadata).annotations)['helm.sh/hook'])
  return hook === '' || hook.split(',').some((one) => ofInstallation.test(one.trim()))
}

const missingAccount = /serviceaccounts? "([^"]{1,253})" not found/

/** Tells whether a cluster refuses an object only because a service account of the same chart is not there yet. */
export function waitsForOwnAccount(message: string, objects: readonly ManifestObject[]): boolean {
  const name = missingAccount.exec(message)?.[1]
  return name !== undefined && objects.some((one) => one.kind === 'ServiceAccount' && one.name === name)
}
