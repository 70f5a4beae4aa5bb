import assert from 'node:assert/strict'
import { invalid, refused } from '../answers.ts'
import { area } from '../check.ts'
import { configMap, deployment, IMAGE, job, pod, statefulSet, workload } from '../objects.ts'
import { MERGE } from '../scope.ts'

const MAIN = { name: 'main', image: IMAGE }
const container = (more: object) => ({ containers: [{ ...MAIN, ...more }] })
type Causes = readonly (readonly [string, string | RegExp])[]

const PODS: readonly [behaviour: string, spec: object, Causes][] = [
  ['needs containers', { containers: [] }, [['spec.containers', 'Required value']]],
  ['needs an image', { containers: [{ name: 'main' }] }, [['spec.containers[0].image', 'Required value']]],
  ['has each container once', { containers: [MAIN, MAIN] }, [['spec.containers[1].name', 'Duplicate value: "main"']]],
  [
    'names containers as DNS labels',
    { containers: [{ ...MAIN, name: 'My_App' }] },
    [['spec.containers[0].name', /^Invalid value: "My_App": a lowercase RFC 1123 label must consist of/]],
  ],
  [
    'mounts volumes that it has',
    container({ volumeMounts: [{ name: 'v', mountPath: '/v' }] }),
    [['spec.containers[0].volumeMounts[0].name', 'Not found: "v"']],
  ],
  [
    'mounts one thing at a place',
    {
      volumes: [{ name: 'v', emptyDir: {} }],
      ...container({
        volumeMounts: [
          { name: 'v', mountPath: '/v' },
          { name: 'v', mountPath: '/v' },
        ],
      }),
    },
    [['spec.containers[0].volumeMounts[1].mountPath', 'Invalid value: "/v": must be unique']],
  ],
  [
    'restarts in one of three ways',
    { restartPolicy: 'Sometimes' },
    [['spec.restartPolicy', 'Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"']],
  ],
  [
    'pulls in one of three ways',
    container({ imagePullPolicy: 'Maybe' }),
    [
      [
        'spec.containers[0].imagePullPolicy',
        'Unsupported value: "Maybe": supported values: "Always", "IfNotPresent", "Never"',
      ],
    ],
  ],
  [
    'listens on ports there are',
    container({ ports: [{ containerPort: 0 }] }),
    [['spec.containers[0].ports[0].containerPort', 'Required value']],
  ],
  [
    'probes in some way',
    container({ livenessProbe: { periodSeconds: 5 } }),
    [['spec.containers[0].livenessProbe', 'Required value: must specify a handler type']],
  ],
  [
    'probes in one way only',
    container({ livenessProbe: { tcpSocket: { port: 80 }, httpGet: { port: 80 } } }),
    [['spec.containers[0].livenessProbe.tcpSocket', 'Forbidden: may not specify more than 1 handler type']],
  ],
  [
    'asks for no more than its limit',
    container({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }),
    [['spec.containers[0].resources.requests', 'Invalid value: "2": must be less than or equal to cpu limit of 1']],
  ],
  [
    'has a volume of one kind',
    { volumes: [{ name: 'v', emptyDir: {}, configMap: { name: 'x' } }] },
    [['spec.volumes[0].configMap', 'Forbidden: may not specify more than 1 volume type']],
  ],
  [
    'has each volume once',
    {
      volumes: [
        { name: 'v', emptyDir: {} },
        { name: 'v', emptyDir: {} },
      ],
    },
    [['spec.volumes[1].name', 'Duplicate value: "v"']],
  ],
  [
    'needs a name for a variable',
    container({ env: [{ name: '', value: 'x' }] }),
    [['spec.containers[0].env[0].name', 'Required value']],
  ],
  [
    'takes a variable from one place',
    container({ env: [{ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }),
    [['spec.containers[0].env[0].valueFrom', /may not be specified when `value` is not empty/]],
  ],
  [
    'tolerates with an operator that exists',
    { tolerations: [{ key: 'a', operator: 'Likes' }] },
    [['spec.tolerations[0].operator', /^Unsupported value: "Likes": supported values: "Equal", "Exists"/]],
  ],
  [
    'has a deadline above zero',
    { activeDeadlineSeconds: 0 },
    [['spec.activeDeadlineSeconds', 'Invalid value: 0: must be between 1 and 2147483647, inclusive']],
  ],
]

export const podRules = area('rules for pods', (check) => {
  for (const [behaviour, spec, causes] of PODS) {
    check(`a pod ${behaviour}`, async (t) => {
      await t.account()
      invalid(await t.post('v1/pods?dryRun=All', pod('one', spec)), ...causes)
    })
  }
  check('the message names kind, name, field and value', async (t) => {
    await t.account()
    refused(
      await t.post('v1/pods', pod('one', { containers: [] })),
      422,
      'Invalid',
      'Pod "one" is invalid: spec.containers: Required value',
    )
  })
  check('several mistakes come in brackets', async (t) => {
    await t.account()
    const answer = await t.post('v1/pods', pod('one', { containers: [{ name: 'a' }, { name: 'b' }] }))
    refused(
      answer,
      422,
      'Invalid',
      'Pod "one" is invalid: [spec.containers[0].image: Required value, spec.containers[1].image: Required value]',
    )
    assert.deepEqual(answer.body.details.kind, 'Pod')
    assert.equal(answer.body.details.causes[0].reason, 'FieldValueRequired')
  })
})

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

const IMMUTABLE: readonly [behaviour: string, resource: string, made: object, change: object, Causes][] = [
  [
    'the selector of a deployment',
    'apps/v1/deployments',
    deployment('one', { replicas: 0 }),
    {
      spec: { selector: { matchLabels: { more: 'x' } }, template: { metadata: { labels: { more: 'x' } } } },
    },
    [['spec.selector', 'Invalid value: {"matchLabels":{"app":"one","more":"x"}}: field is immutable']],
  ],
  [
    'what a stateful set is',
    'apps/v1/statefulsets',
    statefulSet('one', { replicas: 0 }),
    { spec: { serviceName: 'other' } },
    [
      [
        'spec',
        "Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
      ],
    ],
  ],
  [
    'the template of a job',
    'batch/v1/jobs',
    job('one', { parallelism: 0 }),
    { spec: { template: { spec: { restartPolicy: 'OnFailure' } } } },
    [['spec.template', /field is immutable$/]],
  ],
  [
    'the completions of a job',
    'batch/v1/jobs',
    job('one', { parallelism: 0, completions: 1 }),
    { spec: { completions: 2 } },
    [['spec.completions', 'Invalid value: 2: field is immutable']],
  ],
  [
    'a config map that is marked so',
    'v1/configmaps',
    { ...configMap('one', { a: '1' }), immutable: true },
    { data: { a: '2' } },
    [['data', 'Forbidden: field is immutable when `immutable` is set']],
  ],
  [
    'the mark itself',
    'v1/configmaps',
    { ...configMap('one'), immutable: true },
    { immutable: false },
    [['immutable', 'Forbidden: field is immutable when `immutable` is set']],
  ],
  [
    'a secret that is marked so',
    'v1/secrets',
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'one' }, immutable: true, data: { a: 'eA==' } },
    { data: { a: 'eQ==' } },
    [['data', 'Forbidden: field is immutable when `immutable` is set']],
  ],
  [
    'the type of a secret',
    'v1/secrets',
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'one' }, type: 'example.com/a' },
    { type: 'example.com/b' },
    [['type', 'Invalid value: "example.com/b": field is immutable']],
  ],
  [
    'the class of a claim',
    'v1/persistentvolumeclaims',
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'one' },
      spec: { storageClassName: 'a', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
    { spec: { storageClassName: 'b' } },
    [
      [
        'spec',
        /^Forbidden: spec is immutable after creation except resources\.requests and volumeAttributesClassName for bound claims/,
      ],
    ],
  ],
]

export const immutable = area('fields that stay', (check) => {
  for (const [behaviour, resource, made, change, causes] of IMMUTABLE) {
    check(behaviour, async (t) => {
      await t.make(resource, made)
      invalid(await t.patch(`${resource}/one`, MERGE, change), ...causes)
    })
  }
  check('the provisioner of a storage class', async (t) => {
    const name = t.unique('class')
    const kind = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass' }
    await t.makeWide('storage.k8s.io/v1/storageclasses', { ...kind, metadata: { name }, provisioner: 'example.com/a' })
    const answer = await t.patch(`storage.k8s.io/v1/storageclasses/${name}`, MERGE, { provisioner: 'example.com/b' })
    refused(
      answer,
      422,
      'Invalid',
      /provisioner: (Forbidden: updates to provisioner are forbidden\.|Invalid value: "example\.com\/b": field is immutable)/,
    )
  })
  check('the controller of an ingress class', async (t) => {
    const name = t.unique('class')
    const kind = { apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass' }
    const path = 'networking.k8s.io/v1/ingressclasses'
    await t.makeWide(path, { ...kind, metadata: { name }, spec: { controller: 'example.com/a' } })
    const answer = await t.patch(`${path}/${name}`, MERGE, { spec: { controller: 'example.com/b' } })
    invalid(answer, ['spec.controller', 'Invalid value: "example.com/b": field is immutable'])
  })
})
