import { expectCode, holds } from '../../answers.ts'
import { area } from '../../check.ts'
import { deployment, IMAGE, job, pod, statefulSet, workload } from '../../objects.ts'

const kind = (apiVersion: string, name: string, more: object) => ({
  apiVersion,
  kind: name,
  metadata: { name: 'one' },
  ...more,
})
const main = (container: object) => pod('one', { containers: [{ name: 'main', image: 'nginx', ...container }] })
const contained = (container: object) => ({ spec: { containers: [container] } })

const CASES: readonly [behaviour: string, resource: string, body: object, expected: object][] = [
  [
    'a pod',
    'v1/pods',
    pod('one'),
    {
      spec: {
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 30,
        dnsPolicy: 'ClusterFirst',
        schedulerName: 'default-scheduler',
        securityContext: {},
        enableServiceLinks: true,
      },
      status: { phase: 'Pending', qosClass: 'BestEffort' },
    },
  ],
  [
    'tolerations of a pod',
    'v1/pods',
    pod('one'),
    {
      spec: {
        tolerations: [
          { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
          { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
        ],
      },
    },
  ],
  [
    'a container with the latest image',
    'v1/pods',
    main({}),
    contained({
      imagePullPolicy: 'Always',
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
      resources: {},
    }),
  ],
  ['a container with a fixed image', 'v1/pods', main({ image: IMAGE }), contained({ imagePullPolicy: 'IfNotPresent' })],
  [
    'requests from limits',
    'v1/pods',
    main({ resources: { limits: { cpu: '1', memory: '1Gi' } } }),
    { ...contained({ resources: { requests: { cpu: '1', memory: '1Gi' } } }), status: { qosClass: 'Guaranteed' } },
  ],
  [
    'the class of service of a pod',
    'v1/pods',
    main({ resources: { requests: { cpu: '1' } } }),
    { status: { qosClass: 'Burstable' } },
  ],
  [
    'a probe',
    'v1/pods',
    main({ readinessProbe: { httpGet: { port: 80 } } }),
    contained({
      readinessProbe: {
        httpGet: { path: '/', port: 80, scheme: 'HTTP' },
        timeoutSeconds: 1,
        periodSeconds: 10,
        successThreshold: 1,
        failureThreshold: 3,
      },
    }),
  ],
  [
    'a container port',
    'v1/pods',
    main({ ports: [{ containerPort: 80 }] }),
    contained({ ports: [{ protocol: 'TCP' }] }),
  ],
  [
    'a variable from a field',
    'v1/pods',
    main({ env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }),
    contained({ env: [{ valueFrom: { fieldRef: { apiVersion: 'v1' } } }] }),
  ],
  [
    'a volume of a config map',
    'v1/pods',
    pod('one', { volumes: [{ name: 'v', configMap: { name: 'x' } }] }),
    { spec: { volumes: [{ name: 'v', configMap: { name: 'x', defaultMode: 420 } }] } },
  ],
  [
    'quantities in their short form',
    'v1/pods',
    main({ resources: { requests: { memory: '1024Mi', cpu: '0.5' } } }),
    contained({ resources: { requests: { memory: '1Gi', cpu: '500m' } } }),
  ],
  [
    'a deployment',
    'apps/v1/deployments',
    deployment('one'),
    {
      spec: {
        replicas: 1,
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      },
    },
  ],
  [
    'a stateful set',
    'apps/v1/statefulsets',
    statefulSet('one'),
    {
      spec: {
        replicas: 1,
        revisionHistoryLimit: 10,
        podManagementPolicy: 'OrderedReady',
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      },
    },
  ],
  [
    'a daemon set',
    'apps/v1/daemonsets',
    workload('DaemonSet', 'one'),
    {
      spec: {
        revisionHistoryLimit: 10,
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
      },
    },
  ],
  ['a replica set', 'apps/v1/replicasets', workload('ReplicaSet', 'one'), { spec: { replicas: 1 } }],
  [
    'a job',
    'batch/v1/jobs',
    job('one'),
    {
      spec: {
        parallelism: 1,
        completions: 1,
        backoffLimit: 6,
        completionMode: 'NonIndexed',
        suspend: false,
        manualSelector: false,
        podReplacementPolicy: 'TerminatingOrFailed',
      },
    },
  ],
  [
    'a cron job',
    'batch/v1/cronjobs',
    kind('batch/v1', 'CronJob', { spec: { schedule: '* * * * *', jobTemplate: { spec: job('x').spec } } }),
    {
      spec: {
        concurrencyPolicy: 'Allow',
        suspend: false,
        successfulJobsHistoryLimit: 3,
        failedJobsHistoryLimit: 1,
      },
    },
  ],
  [
    'an autoscaler',
    'autoscaling/v2/horizontalpodautoscalers',
    kind('autoscaling/v2', 'HorizontalPodAutoscaler', {
      spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
    }),
    {
      spec: {
        minReplicas: 1,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
        ],
      },
    },
  ],
  [
    'a claim',
    'v1/persistentvolumeclaims',
    kind('v1', 'PersistentVolumeClaim', {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    }),
    { spec: { volumeMode: 'Filesystem' }, status: { phase: 'Pending' } },
  ],
  [
    'a network policy',
    'networking.k8s.io/v1/networkpolicies',
    kind('networking.k8s.io/v1', 'NetworkPolicy', { spec: { podSelector: {}, egress: [{ ports: [{ port: 53 }] }] } }),
    { spec: { policyTypes: ['Ingress', 'Egress'], egress: [{ ports: [{ protocol: 'TCP', port: 53 }] }] } },
  ],
  ['a secret', 'v1/secrets', kind('v1', 'Secret', { stringData: { a: 'x' } }), { type: 'Opaque', data: { a: 'eA==' } }],
  [
    'subjects of a binding',
    'rbac.authorization.k8s.io/v1/rolebindings',
    kind('rbac.authorization.k8s.io/v1', 'RoleBinding', {
      roleRef: { kind: 'Role', name: 'r', apiGroup: 'rbac.authorization.k8s.io' },
      subjects: [{ kind: 'User', name: 'jane' }],
    }),
    { subjects: [{ apiGroup: 'rbac.authorization.k8s.io' }] },
  ],
  [
    'a storage class',
    'storage.k8s.io/v1/storageclasses',
    kind('storage.k8s.io/v1', 'StorageClass', { metadata: { generateName: 'dry-' }, provisioner: 'example.com/x' }),
    { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
  ],
  [
    'a volume',
    'v1/persistentvolumes',
    kind('v1', 'PersistentVolume', {
      metadata: { generateName: 'dry-' },
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
    }),
    { spec: { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' }, status: { phase: 'Pending' } },
  ],
  [
    'a limit range',
    'v1/limitranges',
    kind('v1', 'LimitRange', { spec: { limits: [{ type: 'Container', max: { cpu: '2' } }] } }),
    { spec: { limits: [{ default: { cpu: '2' }, defaultRequest: { cpu: '2' } }] } },
  ],
  [
    'an endpoint slice',
    'discovery.k8s.io/v1/endpointslices',
    kind('discovery.k8s.io/v1', 'EndpointSlice', { addressType: 'IPv4', endpoints: [], ports: [{ port: 80 }] }),
    { ports: [{ name: '', protocol: 'TCP', port: 80 }] },
  ],
]

export const defaults = area('defaults', (check) => {
  for (const [behaviour, resource, body, expected] of CASES) {
    check(behaviour, async (t) => {
      if (resource === 'v1/pods') await t.account()
      holds(expectCode(await t.post(`${resource}?dryRun=All`, body), 201), expected)
    })
  }
})
