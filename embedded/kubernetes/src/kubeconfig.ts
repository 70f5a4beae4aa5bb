import { stringify } from 'yaml'

interface KubeconfigParts {
  name: string
  url: string
  caPem: string
  token: string
  user?: string
  namespace?: string
}

/** A kubeconfig with one cluster, one user with a bearer token, and the context that joins them. */
export function kubeconfigFor({ name, url, caPem, token, user = `${name}-admin`, namespace }: KubeconfigParts): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server: url, 'certificate-authority-data': Buffer.from(caPem).toString('base64') } }],
    users: [{ name: user, user: { token } }],
    contexts: [{ name, context: { cluster: name, user, ...(namespace ? { namespace } : {}) } }],
    'current-context': name,
  })
}
