import type { V1Pod, V1PodSpec, V1PriorityClass, V1ServiceAccount } from '@kubernetes/client-node'
import { forbidden } from '../api-error.ts'
import { quantityNumber } from '../machinery/quantity.ts'
import type { KubeObject, ObjectStore } from '../object-store.ts'
import { generatedName } from '../store/names.ts'

const PODS = { group: '', resource: 'pods' }
const TOKEN_PATH = '/var/run/secrets/kubernetes.io/serviceaccount'
const NO_AUTOMATIC_CLASS = 'kubernetes.io/config.mirror'

function accountOf(store: ObjectStore, draft: KubeObject, spec: V1PodSpec): V1ServiceAccount {
  spec.serviceAccountName ||= 'default'
  spec.serviceAccount = spec.serviceAccountName
  const { namespace = '', name } = draft.metadata
  const found = store.get('/serviceaccounts', namespace, spec.serviceAccountName)
  if (found) return found as unknown as V1ServiceAccount
  const why = `error looking up service account ${namespace}/${spec.serviceAccountName}: serviceaccount ${JSON.stringify(spec.serviceAccountName)} not found`
  throw forbidden(PODS, name, why)
}

/** The token that every container finds in its file system, unless somebody does not want it there. */
function mountToken(spec: V1PodSpec, account: V1ServiceAccount): void {
  if ((spec.automountServiceAccountToken ?? account.automountServiceAccountToken) === false) return
  const containers = [...(spec.initContainers ?? []), ...spec.containers]
  const needy = containers.filter(
    ({ volumeMounts }) => !volumeMounts?.some(({ mountPath }) => mountPath === TOKEN_PATH),
  )
  if (needy.length === 0) return
  const name = generatedName('kube-api-access-')
  for (const container of needy) {
    container.volumeMounts = [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath: TOKEN_PATH }]
  }
  const sources = [
    { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: {
        items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
      },
    },
  ]
  spec.volumes = [...(spec.volumes ?? []), { name, projected: { sources, defaultMode: 0o644 } }]
}

function setPriority(store: ObjectStore, draft: KubeObject, spec: V1PodSpec): void {
  const classes = store.list('scheduling.k8s.io/priorityclasses') as unknown as V1PriorityClass[]
  const named = spec.priorityClassName
  const chosen = named
    ? classes.find(({ metadata }) => metadata?.name === named)
    : classes.find(({ globalDefault }) => globalDefault)
  if (named && !chosen) throw forbidden(PODS, draft.metadata.name, `no PriorityClass with name ${named} was found`)
  if (chosen) spec.priorityClassName = chosen.metadata?.name
  const computed = chosen?.value ?? 0
  if (spec.priority !== undefined && spec.priority !== computed) {
    const why = `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`
    throw forbidden(PODS, draft.metadata.name, why)
  }
  spec.priority = computed
  spec.preemptionPolicy ??= chosen?.preemptionPolicy ?? 'PreemptLowerPriority'
}

const MEASURED = ['cpu', 'memory'] as const

/** Guaranteed when every container asks for exactly its limits, BestEffort when none asks for anything. */
function qosClass(spec: V1PodSpec): string {
  const containers = [...(spec.initContainers ?? []), ...spec.containers]
  const amounts = containers.map(({ resources }) => ({
    limits: resources?.limits ?? {},
    requests: resources?.requests ?? {},
  }))
  const asks = amounts.some(({ limits, requests }) =>
    MEASURED.some((name) => quantityNumber(limits[name]) > 0 || quantityNumber(requests[name]) > 0),
  )
  if (!asks) return 'BestEffort'
  const exact = amounts.every(({ limits, requests }) =>
    MEASURED.every((name) => {
      const limit = quantityNumber(limits[name])
      return limit > 0 && quantityNumber(requests[name] ?? limits[name]) === limit
    }),
  )
  return exact ? 'Guaranteed' : 'Burstable'
}

/** Adds the defaults of every pod: its service account, its token, its priority and its initial status. */
export function admitPod(store: ObjectStore, draft: KubeObject): void {
  const pod = draft as unknown as V1Pod
  const { spec } = pod
  if (!spec?.containers || draft.metadata.annotations?.[NO_AUTOMATIC_CLASS]) return
  const account = accountOf(store, draft, spec)
  if (!spec.imagePullSecrets?.length && account.imagePullSecrets) spec.imagePullSecrets = [...account.imagePullSecrets]
  mountToken(spec, account)
  setPriority(store, draft, spec)
  pod.status = { phase: 'Pending', ...pod.status, qosClass: qosClass(spec) }
}
