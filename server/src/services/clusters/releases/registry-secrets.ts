import type { ClusterConnection } from '../../../adapters/kubernetes/kubernetes.ts'
import { fieldsOf, textOf } from '../workloads/fields.ts'
import { cleanText } from '../workloads/foreign-text.ts'

const type = 'kubernetes.io/dockerconfigjson'

/** The names and registry hosts of a namespace's pull secrets. What else is in them does not leave this function. */
export async function registrySecrets(
  connection: ClusterConnection,
  namespace: string,
): Promise<{ name: string; registry: string }[]> {
  const secrets = await connection.list('v1/secrets', { namespace, fieldSelector: `type=${type}` })
  return secrets
    .filter((secret) => secret.type === type)
    .flatMap((secret) =>
      hostsOf(textOf(fieldsOf(secret.data)['.dockerconfigjson'])).map((registry) => ({
        name: cleanText(secret.metadata.name, 253),
        registry,
      })),
    )
}

/** Registries that a Docker configuration in base64 has credentials for. */
export function hostsOf(encoded: string): string[] {
  try {
    const config: unknown = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'))
    return Object.keys(fieldsOf(fieldsOf(config).auths)).map((address) =>
      cleanText(address.replace(/^https?:\/\//, '').replace(/\/.*$/, ''), 253),
    )
  } catch {
    // Somebody put something else in it: there is no registry to name.
    return []
  }
}
