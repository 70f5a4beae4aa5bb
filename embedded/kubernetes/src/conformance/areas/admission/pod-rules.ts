import assert from 'node:assert/strict'
import { invalid, refused } from '../../answers.ts'
import { area } from '../../check.ts'
import { IMAGE, pod } from '../../objects.ts'

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
