import { setTimeout as sleep } from 'node:timers/promises'
import type { ManifestObject } from '../../../../adapters/helm/manifest.ts'
import type { ClusterConnection } from '../../../../adapters/kubernetes/kubernetes.ts'
import { fail } from '../../../../platform/http/errors.ts'
import { placed } from '../../releases/placed.ts'
import { conditionsOf, fieldsOf } from '../../workloads/fields.ts'

const resource = 'apiextensions.k8s.io/v1/customresourcedefinitions'
const establishedWithinMs = 30_000
const lookEveryMs = 200

/**
 * Makes the definitions that a package ships apart from its templates, as far as they are not there, and waits until
 * their kinds are served. Helm would set those of others anew, for which nobody gets the right.
 */
export async function makeDefinitions(
  connection: Pick<ClusterConnection, 'get' | 'create'>,
  definitions: readonly ManifestObject[],
): Promise<void> {
  await Promise.all(
    definitions.map(async (definition) => {
      const { name } = definition
      if (!(await connection.get(resource, undefined, name)))
        await connection.create(resource, placed(definition, undefined)).catch(async (error: unknown) => {
          // Somebody else was faster.
          if (!(await connection.get(resource, undefined, name))) throw error
        })
      const until = Date.now() + establishedWithinMs
      while (!(await isEstablished(connection, name))) {
        if (Date.now() > until)
          throw fail('cluster.refused', { message: `The cluster does not serve what ${name} defines.` })
        await sleep(lookEveryMs)
      }
    }),
  )
}

async function isEstablished(connection: Pick<ClusterConnection, 'get'>, name: string): Promise<boolean> {
  const found = await connection.get(resource, undefined, name)
  return conditionsOf(fieldsOf(found?.status)).some(({ type, status }) => type === 'Established' && status === 'True')
}
