/** The release that is built: the newest patch of the version whose manners the Sandbox has. */
export const RELEASE = 'v1.35.4'

/** Names the programs by their packages; etcd's main package is its module's root. */
export const PACKAGES = [
  'k8s.io/kubernetes/cmd/kube-apiserver',
  'k8s.io/kubernetes/cmd/kube-controller-manager',
  'go.etcd.io/etcd/server/v3',
] as const

const STAGED = /^\s*(k8s\.io\/[a-z0-9-]+) => \.\/staging\//gm
const ETCD = /^\s*go\.etcd\.io\/etcd\/server\/v3 (v\S+)/m
const GO = /^go (\S+)/m

/**
 * The go.mod of a module of our own that the programs can be built from. Kubernetes' own points at folders of its
 * repository for its staging repositories; outside of it, each is replaced by its published module of the same release.
 */
export function moduleFile(kubernetesModule: string, release = RELEASE): string {
  const staged = [...kubernetesModule.matchAll(STAGED)].map(([, name]) => name)
  const etcd = ETCD.exec(kubernetesModule)?.[1]
  const go = GO.exec(kubernetesModule)?.[1]
  if (staged.length === 0 || !etcd || !go) throw new Error(`the module of Kubernetes ${release} is not as expected`)
  const published = release.replace(/^v1\./, 'v0.')
  return [
    'module quayside.local/kube-apiserver',
    `go ${go}`,
    `require k8s.io/kubernetes ${release}`,
    `require go.etcd.io/etcd/server/v3 ${etcd}`,
    ...staged.map((name) => `replace ${name} => ${name} ${published}`),
    '',
  ].join('\n')
}
