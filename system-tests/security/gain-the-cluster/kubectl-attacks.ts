/** Attack with a kubeconfig that was handed out: the arguments of kubectl, or a manifest to create. */
export interface Attack {
  name: string
  args: string
  manifest?: unknown
}

/** The names that attacks speak of. */
export interface Target {
  namespace: string
  /** The namespace of a space of others. */
  other: string
  /** The attacker's own account in the namespace of the portal. */
  account: string
}

const portal = 'quayside-system'

/** Tokens that outlive their maker, and acting as somebody else. */
export const tokenAttacks = ({ namespace, account }: Target): Attack[] => [
  { name: 'make a token', args: 'create token default' },
  { name: 'make a token of ten years', args: 'create token worker --duration=87600h' },
  { name: 'make a token of the own account', args: `create token ${account} -n ${portal} --duration=87600h` },
  {
    name: 'make a token past kubectl',
    args: `create --raw /api/v1/namespaces/${namespace}/serviceaccounts/worker/token -f -`,
    manifest: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 315_360_000 },
    },
  },
  {
    name: 'make a Secret with a token that never ends',
    args: 'create -f -',
    manifest: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'lasting', namespace, annotations: { 'kubernetes.io/service-account.name': 'worker' } },
      type: 'kubernetes.io/service-account-token',
    },
  },
  { name: 'act as the administrator', args: 'get secrets --as=admin --as-group=system:masters' },
  { name: 'act as an account of the space', args: `get secrets --as=system:serviceaccount:${namespace}:worker` },
  {
    name: 'act as the account that deploys',
    args: `get secrets -n kube-system --as=system:serviceaccount:${portal}:space`,
  },
]

/** Other places. */
export const placeAttacks = ({ namespace, other }: Target): Attack[] => [
  ...['kube-system', portal, other, 'default'].map((where) => ({
    name: `read the secrets of ${where === other ? 'another space' : where}`,
    args: `get secrets -n ${where}`,
  })),
  { name: 'read all secrets', args: 'get secrets -A' },
  { name: 'read config maps of another space', args: `get configmaps -n ${other}` },
  { name: 'list namespaces', args: 'get namespaces' },
  { name: 'look at the namespace of another space', args: `get namespace ${other}` },
  { name: 'list accounts of the portal', args: `get serviceaccounts -n ${portal}` },
  { name: 'delete the own namespace', args: `delete namespace ${namespace}` },
  { name: 'make a namespace', args: 'create namespace mine' },
  { name: 'list nodes', args: 'get nodes' },
  { name: 'reach a kubelet through a node', args: 'get --raw /api/v1/nodes/node-1/proxy/metrics' },
  { name: 'debug a node', args: 'debug node/node-1 --image=busybox' },
  { name: 'read the figures of the API server', args: 'get --raw /metrics' },
  { name: 'list API services', args: 'get apiservices' },
]

/** More rights, for oneself or for an account. */
export const rightAttacks = ({ namespace, account }: Target): Attack[] => [
  {
    name: 'bind cluster-admin here',
    args: `create rolebinding x --clusterrole=cluster-admin --serviceaccount=${namespace}:default`,
  },
  { name: 'bind admin here', args: `create rolebinding x --clusterrole=admin --serviceaccount=${namespace}:default` },
  {
    name: 'bind cluster-admin',
    args: `create clusterrolebinding x --clusterrole=cluster-admin --serviceaccount=${namespace}:default`,
  },
  { name: 'make a role', args: 'create role x --verb=* --resource=secrets' },
  { name: 'make a cluster role', args: 'create clusterrole x --verb=* --resource=secrets' },
  { name: 'change a role of the portal', args: 'patch clusterrole quayside:viewer --type=merge -p {"rules":[]}' },
  { name: 'change the own binding', args: `patch rolebinding ${account} --type=merge -p {"subjects":[]}` },
  { name: 'delete the own binding', args: `delete rolebinding ${account}` },
  { name: 'change the own account', args: `annotate serviceaccount ${account} -n ${portal} a=b` },
  {
    name: 'bind in the namespace of the portal',
    args: `create rolebinding x -n ${portal} --clusterrole=edit --serviceaccount=${namespace}:default`,
  },
  { name: 'approve a certificate', args: 'certificate approve mine' },
  {
    name: 'ask for a certificate of a group',
    args: 'create -f -',
    manifest: {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'mine' },
      spec: { request: 'LS0t', signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] },
    },
  },
]

/** Changes of the space's isolation, and objects that come between callers and the API server. */
export const isolationAttacks = ({ namespace, other }: Target): Attack[] => [
  {
    name: 'lower the Pod Security of the namespace',
    args: `label namespace ${namespace} pod-security.kubernetes.io/enforce=privileged --overwrite`,
  },
  { name: 'take the mark of the space off', args: `label namespace ${namespace} quayside.io/space-` },
  { name: 'delete the network policy', args: 'delete networkpolicy isolation' },
  { name: 'delete all network policies', args: 'delete networkpolicies --all' },
  {
    name: 'let everybody in',
    args: 'create -f -',
    manifest: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'open', namespace },
      spec: { podSelector: {}, ingress: [{}], egress: [{}], policyTypes: ['Ingress', 'Egress'] },
    },
  },
  { name: 'make a quota', args: 'create quota mine --hard=pods=1000' },
  {
    name: 'lead a service elsewhere',
    args: 'create -f -',
    manifest: {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'elsewhere', namespace, labels: { 'kubernetes.io/service-name': 'shop' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.0.0.1'] }],
      ports: [{ port: 443, protocol: 'TCP' }],
    },
  },
  {
    name: 'draw traffic of the cluster to a service',
    args: 'create -f -',
    manifest: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'drawing', namespace },
      spec: { ports: [{ port: 443 }], selector: { app: 'a' }, externalIPs: ['203.0.113.7'] },
    },
  },
  {
    name: 'lead a service to another space by its name',
    args: 'create -f -',
    manifest: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'leading', namespace },
      spec: { type: 'ExternalName', externalName: `web.${other}.svc.cluster.local` },
    },
  },
]

/** Kinds and policies that hold for the whole cluster. */
export const clusterAttacks = ({ namespace }: Target): Attack[] => [
  {
    name: 'register an API of the own',
    args: 'create -f -',
    manifest: {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1.mine.example.com' },
      spec: {
        group: 'mine.example.com',
        version: 'v1',
        groupPriorityMinimum: 1000,
        versionPriority: 15,
        insecureSkipTLSVerify: true,
        service: { name: 'shop', namespace },
      },
    },
  },
  {
    name: 'see every request by a webhook',
    args: 'create -f -',
    manifest: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'mine' },
      webhooks: [],
    },
  },
  { name: 'delete the policy about tokens', args: 'delete validatingadmissionpolicy quayside-lasting-tokens' },
  { name: 'delete the policy about services', args: 'delete validatingadmissionpolicy quayside-own-services' },
  { name: 'delete the policy about bindings', args: 'delete validatingadmissionpolicy quayside-own-bindings' },
  {
    name: 'define a kind',
    args: 'create -f -',
    manifest: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.mine.example.com' },
      spec: {
        group: 'mine.example.com',
        names: { kind: 'Thing', plural: 'things' },
        scope: 'Namespaced',
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    },
  },
  {
    name: 'make a volume of the node',
    args: 'create -f -',
    manifest: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'mine' },
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/' } },
    },
  },
]

/** Pods and what is in them. */
export const podAttacks = ({ namespace }: Target): Attack[] => [
  // The API server asks the address that the pod had, also when it has ended and another one has that.
  { name: 'reach a pod through the API', args: `get --raw /api/v1/namespaces/${namespace}/pods/victim/proxy/` },
  { name: 'put a container beside those of a pod', args: 'debug victim --image=busybox --target=main' },
  {
    name: 'say where a pod is',
    args: 'patch pod victim --subresource=status --type=merge -p {"status":{"podIP":"10.0.0.1"}}',
  },
  {
    name: 'put a pod on a node past the scheduler',
    args: `create --raw /api/v1/namespaces/${namespace}/pods/victim/binding -f -`,
    manifest: {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'victim' },
      target: { kind: 'Node', name: 'node-1' },
    },
  },
]

/** Pods that reach out of their container. */
export const nodeAttacks = ({ namespace }: Target): Attack[] =>
  Object.entries({
    'a privileged pod': { containers: [{ name: 'a', image: 'a', securityContext: { privileged: true } }] },
    'a pod that sees the processes of its node': { hostPID: true, containers: [{ name: 'a', image: 'a' }] },
    'a pod in the network of its node': { hostNetwork: true, containers: [{ name: 'a', image: 'a' }] },
    'a pod with the files of its node': {
      containers: [{ name: 'a', image: 'a' }],
      volumes: [{ name: 'root', hostPath: { path: '/' } }],
    },
  }).map(([what, spec]) => ({
    name: `run ${what}`,
    args: 'create -f -',
    manifest: { apiVersion: 'v1', kind: 'Pod', metadata: { generateName: 'mine-', namespace }, spec },
  }))

/** Attacks by a viewer to read values in clear. */
export const viewerAttacks = ({ namespace }: Target): Attack[] => [
  { name: 'read secrets', args: 'get secrets' },
  { name: 'read the environment of pods', args: 'get pods -o yaml' },
  { name: 'read one pod', args: 'get pod victim -o yaml' },
  { name: 'read the state of a pod', args: `get --raw /api/v1/namespaces/${namespace}/pods/victim/status` },
  ...[
    'deployments',
    'replicasets',
    'statefulsets',
    'daemonsets',
    'controllerrevisions',
    'jobs',
    'cronjobs',
    'podtemplates',
  ].map((kind) => ({ name: `read ${kind}`, args: `get ${kind} -o yaml` })),
  { name: 'run a program in a pod', args: 'exec victim -- env' },
  {
    name: 'run a program in a pod past kubectl',
    args: `create --raw /api/v1/namespaces/${namespace}/pods/victim/exec?command=env -f /dev/null`,
  },
  { name: 'attach to a pod', args: 'attach victim' },
  { name: 'reach a service through the API', args: `get --raw /api/v1/namespaces/${namespace}/services/shop/proxy/` },
  { name: 'change a config map', args: 'create configmap mine' },
  { name: 'delete a pod', args: 'delete pod victim' },
  { name: 'run a pod', args: 'run mine --image=busybox' },
]
