import { invalid, refused } from '../../answers.ts'
import { area } from '../../check.ts'
import { configMap, deployment, job, statefulSet } from '../../objects.ts'
import { MERGE } from '../../scope.ts'

type Causes = readonly (readonly [string, string | RegExp])[]

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
