/**
 * Names that Kubernetes, its distributions and clouds give to roles and bindings of their own: made anew by a chart, one
 * that is missing would have the rules of the chart for whoever is bound to it. Other names that begin with `system:`
 * are those of common charts, such as `system:metrics-server`.
 */
const ofKubernetes = new Set(['cluster-admin', 'admin', 'edit', 'view'])
const systemParts = [
  ...'aggregate-to auth basic bootstrap certificates cloud cluster controller coredns csi discovery heapster kube'.split(
    ' ',
  ),
  ...'kubelet leader legacy master monitoring node persistent public replication service volume'.split(' '),
  // OpenShift
  ...'build deploy image oauth openshift registry router scope sdn webhook'.split(' '),
  // Clouds and small distributions
  ...'aws azure eks gce gcp gke glbc k3s managed-certificate rke slo'.split(' '),
]
const ofSystem = new RegExp(`^system::|^system:(${systemParts.join('|')})`)

/** Tells whether a role or binding has a name that the portal gives to its own, in whatever namespace. */
export const isNameOfPortal = (name: string) => /^quayside[:-]/.test(name)

/** Tells whether a cluster role or a binding to one has a name of the cluster or of the portal. */
export const isReservedName = (name: string) => isNameOfPortal(name) || ofKubernetes.has(name) || ofSystem.test(name)
