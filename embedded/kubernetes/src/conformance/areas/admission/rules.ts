import { invalid } from '../../answers.ts'
import { area } from '../../check.ts'
import { configMap, deployment, IMAGE, job, statefulSet, workload } from '../../objects.ts'

const MAIN = { name: 'main', image: IMAGE }

type Causes = readonly (readonly [string, string | RegExp])[]

const OTHERS: readonly [behaviour: string, resource: string, body: object, Causes][] = [
  [
    'a deployment selects its own pods',
    'apps/v1/deployments',
    deployment('web', { selector: { matchLabels: { app: 'other' } } }),
    [['spec.template.metadata.labels', 'Invalid value: {"app":"web"}: `selector` does not match template `labels`']],
  ],
  [
    'a deployment needs a selector',
    'apps/v1/deployments',
    deployment('web', { selector: {} }),
    [['spec.selector', 'Invalid value: {}: empty selector is invalid for deployment']],
  ],
  [
    'a deployment has no replicas below zero',
    'apps/v1/deployments',
    deployment('web', { replicas: -1 }),
    [['spec.replicas', 'Invalid value: -1: must be greater than or equal to 0']],
  ],
  [
    'a deployment restarts its pods always',
    'apps/v1/deployments',
    deployment('web', {
      template: { metadata: { labels: { app: 'web' } }, spec: { restartPolicy: 'Never', containers: [MAIN] } },
    }),
    [['spec.template.spec.restartPolicy', 'Unsupported value: "Never": supported values: "Always"']],
  ],
  [
    'a deployment moves by at least one pod',
    'apps/v1/deployments',
    deployment('web', { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
    [['spec.strategy.rollingUpdate.maxUnavailable', 'Invalid value: 0: may not be 0 when `maxSurge` is 0']],
  ],
  [
    'a deployment that recreates does not roll',
    'apps/v1/deployments',
    deployment('web', { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } }),
    [['spec.strategy.rollingUpdate', "Forbidden: may not be specified when strategy `type` is 'Recreate'"]],
  ],
  [
    'a name is a DNS name',
    'apps/v1/deployments',
    deployment('Web_1', {
      selector: { matchLabels: { app: 'x' } },
      template: { metadata: { labels: { app: 'x' } }, spec: { containers: [MAIN] } },
    }),
    [
      [
        'metadata.name',
        `Invalid value: "Web_1": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
  ],
  [
    'a name is not too long',
    'v1/configmaps',
    configMap('x'.repeat(254)),
    [['metadata.name', /must be no more than 253 characters$/]],
  ],
  [
    'a label has a value that fits',
    'v1/configmaps',
    configMap('one', {}, { labels: { a: 'no spaces' } }),
    [
      [
        'metadata.labels',
        /^Invalid value: "no spaces": a valid label must be an empty string or consist of alphanumeric/,
      ],
    ],
  ],
  [
    'a label has a key that fits',
    'v1/configmaps',
    configMap('one', {}, { labels: { 'a b': 'x' } }),
    [['metadata.labels', /^Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '\.'/]],
  ],
  [
    'an annotation has a key that fits',
    'v1/configmaps',
    configMap('one', {}, { annotations: { 'a b': 'x' } }),
    [['metadata.annotations', /^Invalid value: "a b": name part must consist of/]],
  ],
  [
    'a config map has keys that can be files',
    'v1/configmaps',
    configMap('one', { '..': 'x' }),
    [['data[..]', /^Invalid value: "\.\.": must not be '\.\.'/]],
  ],
  [
    'a config map has no key twice',
    'v1/configmaps',
    { ...configMap('one', { a: 'x' }), binaryData: { a: 'eA==' } },
    [['data[a]', /duplicate of key present in binaryData/]],
  ],
  [
    'a secret of a type has its keys',
    'v1/secrets',
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, type: 'kubernetes.io/tls', data: {} },
    [
      ['data[tls.crt]', 'Required value'],
      ['data[tls.key]', 'Required value'],
    ],
  ],
  [
    'a job says how its pods restart',
    'batch/v1/jobs',
    job('one', {}, { restartPolicy: undefined }),
    [['spec.template.spec.restartPolicy', 'Required value: valid values: "OnFailure", "Never"']],
  ],
  [
    'a job does not restart always',
    'batch/v1/jobs',
    job('one', {}, { restartPolicy: 'Always' }),
    [['spec.template.spec.restartPolicy', 'Required value: valid values: "OnFailure", "Never"']],
  ],
  [
    'a cron job has a schedule that can be read',
    'batch/v1/cronjobs',
    {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'c' },
      spec: { schedule: 'sometimes', jobTemplate: { spec: job('x').spec } },
    },
    [['spec.schedule', /^Invalid value: "sometimes": expected exactly 5 fields, found 1: \[sometimes\]$/]],
  ],
  [
    'an autoscaler has a maximum above its minimum',
    'autoscaling/v2/horizontalpodautoscalers',
    {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h' },
      spec: {
        minReplicas: 5,
        maxReplicas: 2,
        scaleTargetRef: { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' },
      },
    },
    [['spec.maxReplicas', 'Invalid value: 2: must be greater than or equal to `minReplicas`']],
  ],
  [
    'a claim says how it is used and how big it is',
    'v1/persistentvolumeclaims',
    { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'c' }, spec: {} },
    [
      ['spec.accessModes', 'Required value: at least 1 access mode is required'],
      ['spec.resources[storage]', 'Required value'],
    ],
  ],
  [
    'an ingress has a rule or a default',
    'networking.k8s.io/v1/ingresses',
    { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'i' }, spec: {} },
    [['spec', /^Invalid value: .*either `defaultBackend` or `rules` must be specified$/]],
  ],
  [
    'a path of an ingress has a type',
    'networking.k8s.io/v1/ingresses',
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'i' },
      spec: {
        rules: [{ http: { paths: [{ path: '/', backend: { service: { name: 's', port: { number: 80 } } } }] } }],
      },
    },
    [['spec.rules[0].http.paths[0].pathType', 'Required value: pathType must be specified']],
  ],
  [
    'a stateful set names pods that can have the name',
    'apps/v1/statefulsets',
    statefulSet('web', { podManagementPolicy: 'Chaos' }),
    [['spec.podManagementPolicy', /must be 'OrderedReady' or 'Parallel'/]],
  ],
  [
    'a daemon set moves by at least one pod',
    'apps/v1/daemonsets',
    workload('DaemonSet', 'web', { updateStrategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 0 } } }),
    [['spec.updateStrategy.rollingUpdate.maxUnavailable', /^(Invalid|Required) value/]],
  ],
]

export const rules = area('rules for other kinds', (check) => {
  for (const [behaviour, resource, body, causes] of OTHERS) {
    check(behaviour, async (t) => invalid(await t.post(`${resource}?dryRun=All`, body), ...causes))
  }
})
