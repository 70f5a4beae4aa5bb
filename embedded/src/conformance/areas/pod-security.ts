import assert from 'node:assert/strict'
import { type Answer, expectCode, invalid, refused, says, warningsOf } from '../answers.ts'
import { area } from '../check.ts'
import { deployment, IMAGE, job, pod, statefulSet, workload } from '../objects.ts'
import { MERGE, type Scope, STRATEGIC } from '../scope.ts'

type Labels = Record<string, string | null>

const LABEL = 'pod-security.kubernetes.io'

/** Gives the namespace of the check labels of Pod Security. */
async function label(t: Scope, labels: Labels, options = ''): Promise<Answer> {
  const full = Object.fromEntries(Object.entries(labels).map(([name, value]) => [`${LABEL}/${name}`, value]))
  return t.call('PATCH', `/api/v1/namespaces/${t.namespace}${options}`, {
    body: { metadata: { labels: full } },
    type: MERGE,
  })
}

/** Enforces a standard; done when the API server's cache of namespaces knows it. */
async function enforce(t: Scope, level: string, version?: string): Promise<void> {
  await t.account()
  expectCode(await label(t, { enforce: level, ...(version ? { 'enforce-version': version } : {}) }), 200)
  const hostile = pod('probe', { hostPID: true, hostUsers: undefined })
  await t.until('the level to be known', async () => {
    const { code, body } = await t.post('v1/pods?dryRun=All', hostile)
    return code === 403 && body.message.includes(`"${level}:${version ?? 'latest'}"`)
  })
}

const container = (securityContext: object = {}, more: object = {}) => ({
  name: 'main',
  image: IMAGE,
  securityContext,
  ...more,
})
const contained = (securityContext: object, more: object = {}) => ({
  containers: [container(securityContext)],
  ...more,
})
const RESTRICTED = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } }
const RESTRICTED_POD = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } }

/** A pod that the restricted level takes, save for what is asked for. */
const careful = (context: object = {}, podContext: object = {}, more: object = {}) =>
  contained({ ...RESTRICTED, ...context }, { securityContext: { ...RESTRICTED_POD, ...podContext }, ...more })

const volume = (source: object) => ({ volumes: [{ name: 'v', ...source }] })
const only = 'container "main"'

/** What a pod asks for, and what the level has against it. */
const BASELINE: readonly (readonly [name: string, spec: object, message: string, metadata?: object])[] = [
  ['hostNetwork', { hostNetwork: true, hostPID: true }, 'host namespaces (hostNetwork=true, hostPID=true)'],
  ['hostIPC', { hostIPC: true }, 'host namespaces (hostIPC=true)'],
  ['privileged', contained({ privileged: true }), `privileged (${only} must not set securityContext.privileged=true)`],
  [
    'capabilities',
    contained({ capabilities: { add: ['SYS_ADMIN', 'CHOWN', 'NET_RAW'] } }),
    `non-default capabilities (${only} must not include "NET_RAW", "SYS_ADMIN" in securityContext.capabilities.add)`,
  ],
  ['hostPath', volume({ hostPath: { path: '/' } }), 'hostPath volumes (volume "v")'],
  [
    'hostPorts',
    {
      containers: [
        container(
          {},
          {
            ports: [
              { containerPort: 80, hostPort: 80 },
              { containerPort: 9, hostPort: 9 },
            ],
          },
        ),
      ],
    },
    `hostPort (${only} uses hostPorts 80, 9)`,
  ],
  [
    'AppArmor',
    contained({ appArmorProfile: { type: 'Unconfined' } }),
    `forbidden AppArmor profile (${only} must not set AppArmor profile type to "Unconfined")`,
  ],
  [
    'SELinux',
    contained(
      { seLinuxOptions: { type: 'spc_t', user: 'root' } },
      { securityContext: { seLinuxOptions: { role: 'r' } } },
    ),
    `seLinuxOptions (pod and ${only} set forbidden securityContext.seLinuxOptions: type "spc_t"; user may not be set; role may not be set)`,
  ],
  [
    'seccomp',
    contained({}, { securityContext: { seccompProfile: { type: 'Unconfined' } } }),
    'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
  ],
  [
    'sysctls',
    contained(
      {},
      {
        securityContext: {
          sysctls: [
            { name: 'kernel.msgmax', value: '1' },
            { name: 'net.ipv4.tcp_rmem', value: '1' },
          ],
        },
      },
    ),
    'forbidden sysctls (kernel.msgmax)',
  ],
  [
    'probes of other hosts',
    { containers: [container({}, { livenessProbe: { httpGet: { host: '10.0.0.1', port: 80 } } })] },
    `probe or lifecycle host (${only} uses probe or lifecycle host "10.0.0.1")`,
  ],
  [
    'Windows host processes',
    contained(
      {},
      {
        hostNetwork: true,
        os: { name: 'windows' },
        securityContext: { windowsOptions: { hostProcess: true, runAsUserName: 'u' } },
      },
    ),
    'host namespaces (hostNetwork=true), hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)',
  ],
]

const RESTRICTIONS: readonly (readonly [name: string, spec: object, message: string])[] = [
  [
    'a pod that asks for nothing',
    contained({}),
    `allowPrivilegeEscalation != false (${only} must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (${only} must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or ${only} must set securityContext.runAsNonRoot=true), seccompProfile (pod or ${only} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")`,
  ],
  [
    'other volumes',
    careful({}, {}, volume({ nfs: { server: 's', path: '/' } })),
    'restricted volume types (volume "v" uses restricted volume type "nfs")',
  ],
  [
    'host paths, once',
    careful({}, {}, volume({ hostPath: { path: '/' } })),
    'restricted volume types (volume "v" uses restricted volume type "hostPath")',
  ],
  [
    'added capabilities',
    careful({ capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE', 'CHOWN'] } }),
    `unrestricted capabilities (${only} must not include "CHOWN" in securityContext.capabilities.add)`,
  ],
  [
    'root by number',
    careful({ runAsUser: 0 }, { runAsUser: 0 }),
    `runAsUser=0 (pod and ${only} must not set runAsUser=0)`,
  ],
  [
    'root by leave',
    careful({ runAsNonRoot: false }),
    `runAsNonRoot != true (${only} must not set securityContext.runAsNonRoot=false)`,
  ],
  [
    'no seccomp',
    careful({ seccompProfile: { type: 'Unconfined' } }),
    `seccompProfile (${only} must not set securityContext.seccompProfile.type to "Unconfined")`,
  ],
]

export const podSecurity = area('pod security', (check) => {
  const refusal = (level: string, message: string) =>
    `pods "bad" is forbidden: violates PodSecurity "${level}": ${message}`

  check('a namespace without labels takes every pod, and warns of none', async (t) => {
    await t.account()
    const answer = await t.post('v1/pods', pod('any', contained({ privileged: true }, { hostPID: true })))
    expectCode(answer, 201)
    assert.deepEqual(warningsOf(answer), [])
  })
  for (const [name, spec, message] of BASELINE) {
    check(`the baseline refuses ${name}`, async (t) => {
      await enforce(t, 'baseline')
      const answer = await t.post('v1/pods', pod('bad', spec))
      refused(answer, 403, 'Forbidden', refusal('baseline:latest', message))
      assert.deepEqual(answer.body.details, { name: 'bad', kind: 'pods' })
      expectCode(await t.post('v1/pods', pod('good')), 201)
    })
  }
  check('the baseline refuses what annotations ask of AppArmor', async (t) => {
    await enforce(t, 'baseline')
    const annotations = { 'container.apparmor.security.beta.kubernetes.io/main': 'unconfined' }
    const answer = await t.post('v1/pods', pod('bad', {}, { annotations }))
    refused(answer, 403, 'Forbidden', /forbidden AppArmor profile/)
  })
  check('the baseline refuses unmasked paths of /proc', async (t) => {
    await enforce(t, 'baseline', 'v1.34')
    const answer = await t.post('v1/pods', pod('bad', contained({ procMount: 'Unmasked' }, { hostUsers: false })))
    const why = `procMount (${only} must not set securityContext.procMount to "Unmasked")`
    refused(answer, 403, 'Forbidden', refusal('baseline:v1.34', why))
  })
  check('a user namespace allows unmasked paths of /proc from 1.35 on', async (t) => {
    await enforce(t, 'baseline', 'v1.35')
    expectCode(await t.post('v1/pods', pod('good', contained({ procMount: 'Unmasked' }, { hostUsers: false }))), 201)
  })
  check('a pod names everything that is wrong with it', async (t) => {
    await enforce(t, 'baseline')
    const spec = { hostPID: true, ...contained({ privileged: true }), ...volume({ hostPath: { path: '/' } }) }
    const why = `host namespaces (hostPID=true), hostPath volumes (volume "v"), privileged (${only} must not set securityContext.privileged=true)`
    refused(await t.post('v1/pods', pod('bad', spec)), 403, 'Forbidden', refusal('baseline:latest', why))
  })
  check('init containers count, and several are named', async (t) => {
    await enforce(t, 'baseline')
    const initContainers = [{ ...container({ privileged: true }), name: 'first' }]
    const answer = await t.post('v1/pods', pod('bad', { initContainers, ...contained({ privileged: true }) }))
    refused(answer, 403, 'Forbidden', /privileged \(containers "first", "main" must not set/)
  })
  for (const [name, spec, message] of RESTRICTIONS) {
    check(`the restricted level refuses ${name}`, async (t) => {
      await enforce(t, 'restricted')
      refused(await t.post('v1/pods', pod('bad', spec)), 403, 'Forbidden', refusal('restricted:latest', message))
      expectCode(await t.post('v1/pods', pod('good', careful())), 201)
    })
  }
  check('the restricted level lets root be in a user namespace, and Windows be without Linux settings', async (t) => {
    await enforce(t, 'restricted')
    const spec = { ...careful({ runAsUser: 0 }, { runAsNonRoot: false }), hostUsers: false }
    expectCode(await t.post('v1/pods', pod('root', spec)), 201)
    const windows = contained({}, { os: { name: 'windows' }, securityContext: { runAsNonRoot: true } })
    expectCode(await t.post('v1/pods', pod('windows', windows)), 201)
  })
  check('an older release has its own rules', async (t) => {
    await enforce(t, 'restricted', 'v1.18')
    expectCode(
      await t.post('v1/pods', pod('good', contained(RESTRICTED, { securityContext: { runAsNonRoot: true } }))),
      201,
    )
    const answer = await t.post('v1/pods', pod('bad', contained({}, { securityContext: { runAsNonRoot: true } })))
    refused(answer, 403, 'Forbidden', /^pods "bad" is forbidden: violates PodSecurity "restricted:v1\.18": allow/)
  })
  check('a release of the future has the newest rules', async (t) => {
    await enforce(t, 'baseline', 'v1.99')
    refused(await t.post('v1/pods', pod('bad', { hostIPC: true })), 403, 'Forbidden', /"baseline:v1\.99": host/)
  })
  check('workloads are taken, with a warning', async (t) => {
    await enforce(t, 'baseline')
    const bad = { containers: [container({ privileged: true })] }
    const template = (name: string) => ({ template: { metadata: { labels: { app: name } }, spec: bad } })
    const bodies: readonly (readonly [string, object])[] = [
      ['apps/v1/deployments', deployment('a', template('a'))],
      ['apps/v1/replicasets', workload('ReplicaSet', 'a', template('a'))],
      ['apps/v1/statefulsets', statefulSet('a', template('a'))],
      ['apps/v1/daemonsets', workload('DaemonSet', 'a', template('a'))],
      ['batch/v1/jobs', job('a', {}, bad)],
      [
        'batch/v1/cronjobs',
        {
          apiVersion: 'batch/v1',
          kind: 'CronJob',
          metadata: { name: 'a' },
          spec: { schedule: '0 0 1 1 *', suspend: true, jobTemplate: { spec: job('a', {}, bad).spec } },
        },
      ],
      [
        'v1/replicationcontrollers',
        {
          apiVersion: 'v1',
          kind: 'ReplicationController',
          metadata: { name: 'a' },
          spec: { selector: { app: 'a' }, ...template('a') },
        },
      ],
      ['v1/podtemplates', { apiVersion: 'v1', kind: 'PodTemplate', metadata: { name: 'a' }, ...template('a') }],
    ]
    for (const [resource, body] of bodies) {
      const answer = await t.post(`${resource}?dryRun=All`, body)
      expectCode(answer, 201)
      const why = `privileged (${only} must not set securityContext.privileged=true)`
      assert.deepEqual(warningsOf(answer), [`would violate PodSecurity "baseline:latest": ${why}`], resource)
    }
  })
  check('a change of a workload warns as well', async (t) => {
    await enforce(t, 'baseline')
    await t.make('apps/v1/deployments', deployment('a', { replicas: 0 }))
    const patch = { spec: { template: { spec: { hostNetwork: true } } } }
    const answer = await t.patch('apps/v1/deployments/a', STRATEGIC, patch)
    expectCode(answer, 200)
    assert.deepEqual(warningsOf(answer), [
      'would violate PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
    ])
  })
  check('a level may warn and not enforce', async (t) => {
    await t.account()
    await label(t, { warn: 'restricted', 'warn-version': 'v1.20' })
    const warnings = await t.until('a warning', async () => {
      const answer = await t.post('v1/pods?dryRun=All', pod('x', { hostPID: true }))
      expectCode(answer, 201)
      return warningsOf(answer).length > 0 && warningsOf(answer)
    })
    assert.equal(warnings.length, 1)
    says(warnings[0] ?? '', /^would violate PodSecurity "restricted:v1\.20": host namespaces \(hostPID=true\), allow/)
  })
  check('a level may be audited and neither enforced nor warned of', async (t) => {
    await t.account()
    expectCode(await label(t, { audit: 'restricted', 'audit-version': 'latest' }), 200)
    const answer = await t.post('v1/pods?dryRun=All', pod('x', { hostPID: true }))
    expectCode(answer, 201)
    assert.deepEqual(warningsOf(answer), [])
  })
  check('warnings may be stricter than what is enforced', async (t) => {
    await enforce(t, 'baseline')
    await label(t, { warn: 'restricted' })
    const warnings = await t.until('a warning', async () => {
      const answer = await t.post('v1/pods?dryRun=All', pod('x'))
      expectCode(answer, 201)
      return warningsOf(answer).length > 0 && warningsOf(answer)
    })
    says(warnings[0] ?? '', /^would violate PodSecurity "restricted:latest": allowPrivilegeEscalation/)
    refused(await t.post('v1/pods', pod('bad', { hostPID: true })), 403, 'Forbidden', /"baseline:latest"/)
  })
  check('warnings may be turned off', async (t) => {
    await enforce(t, 'restricted')
    await label(t, { warn: 'privileged' })
    await t.until('silence', async () => {
      const answer = await t.post('apps/v1/deployments?dryRun=All', deployment('a'))
      expectCode(answer, 201)
      return warningsOf(answer).length === 0
    })
  })
  check('labels that say nothing known are refused', async (t) => {
    const answer = await label(t, { enforce: 'strict', 'warn-version': '1.20', audit: 'none' }, '?dryRun=All')
    invalid(
      answer,
      [`metadata.labels[${LABEL}/enforce]`, 'Invalid value: "strict": must be one of privileged, baseline, restricted'],
      [`metadata.labels[${LABEL}/audit]`, 'Invalid value: "none": must be one of privileged, baseline, restricted'],
      [`metadata.labels[${LABEL}/warn-version]`, 'Invalid value: "1.20": must be "latest" or "v1.x"'],
    )
    const name = t.unique('made')
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { [`${LABEL}/warn`]: 'loud' } } }
    invalid(await t.call('POST', '/api/v1/namespaces', { body }), [`metadata.labels[${LABEL}/warn]`, /^Invalid value/])
  })
  check('a namespace that becomes stricter names the pods that are there', async (t) => {
    await t.account()
    const here = { nodeSelector: { never: 'here' } }
    await t.make('v1/pods', pod('b', { ...here, hostPID: true }))
    await t.make('v1/pods', pod('a', { ...here, hostIPC: true }))
    await t.make('v1/pods', pod('c', { ...here, ...contained({ privileged: true }) }))
    await t.make('v1/pods', pod('d', here))
    const warnings = await t.until('the pods to be known', async () => {
      const said = warningsOf(await label(t, { enforce: 'baseline' }, '?dryRun=All'))
      return said.length === 3 && said
    })
    assert.deepEqual(warnings, [
      `existing pods in namespace "${t.namespace}" violate the new PodSecurity enforce level "baseline:latest"`,
      'a (and 1 other pod): host namespaces',
      'c: privileged',
    ])
    expectCode(await label(t, { enforce: 'baseline' }), 200)
    assert.deepEqual(warningsOf(await label(t, { enforce: 'privileged' })), [])
  })
  check('a pod that is there may change its labels, and not its image', async (t) => {
    await t.account()
    await t.make('v1/pods', pod('bad', { hostPID: true, nodeSelector: { never: 'here' } }))
    await enforce(t, 'baseline')
    expectCode(await t.patch('v1/pods/bad', MERGE, { metadata: { labels: { a: 'b' } } }), 200)
    const image = { spec: { containers: [{ name: 'main', image: 'registry.k8s.io/pause:3.9' }] } }
    const answer = await t.patch('v1/pods/bad', STRATEGIC, image)
    refused(answer, 403, 'Forbidden', refusal('baseline:latest', 'host namespaces (hostPID=true)'))
  })
  check('an ephemeral container is held to the level', async (t) => {
    await enforce(t, 'baseline')
    await t.make('v1/pods', pod('bad', { nodeSelector: { never: 'here' } }))
    const add = (securityContext: object) =>
      t.patch('v1/pods/bad/ephemeralcontainers', STRATEGIC, {
        spec: { ephemeralContainers: [{ ...container(securityContext), name: 'debug' }] },
      })
    const why = 'privileged (container "debug" must not set securityContext.privileged=true)'
    refused(await add({ privileged: true }), 403, 'Forbidden', refusal('baseline:latest', why))
    expectCode(await add({}), 200)
  })
  check('through the door of ephemeral containers nothing else comes in', async (t) => {
    await t.account()
    await t.make('v1/pods', pod('one', { nodeSelector: { never: 'here' } }))
    const labelled = { metadata: { labels: { sneaked: 'in' } }, spec: {} }
    expectCode(await t.patch('v1/pods/one/ephemeralcontainers', STRATEGIC, labelled), 200)
    const changed = await t.patch('v1/pods/one/ephemeralcontainers', STRATEGIC, {
      spec: { containers: [{ name: 'main', image: 'registry.k8s.io/pause:3.9' }] },
    })
    expectCode(changed, 200)
    assert.equal(changed.body.spec.containers[0].image, IMAGE)
    assert.equal((await t.read('v1/pods/one')).spec.containers[0].image, IMAGE)
  })
  check('an ephemeral container that is there stays as it is', async (t) => {
    await t.account()
    await t.make('v1/pods', pod('one', { nodeSelector: { never: 'here' } }))
    const one = { name: 'debug', image: IMAGE }
    expectCode(
      await t.patch('v1/pods/one/ephemeralcontainers', STRATEGIC, { spec: { ephemeralContainers: [one] } }),
      200,
    )
    const other = { spec: { ephemeralContainers: [{ ...one, image: 'registry.k8s.io/pause:3.9' }] } }
    assert.equal((await t.patch('v1/pods/one/ephemeralcontainers', STRATEGIC, other)).code, 422)
    const found = await t.read('v1/pods/one')
    const less = { ...found, spec: { ...found.spec, ephemeralContainers: [] } }
    assert.equal((await t.put('v1/pods/one/ephemeralcontainers', less)).code, 422)
  })
  check('a pod is not made with ephemeral containers', async (t) => {
    await t.account()
    const answer = await t.post('v1/pods', pod('one', { ephemeralContainers: [{ name: 'debug', image: IMAGE }] }))
    assert.equal(answer.code, 422)
    invalid(answer, ['spec.ephemeralContainers', /^Forbidden: cannot be set on create/])
  })
  check('a generated name is named', async (t) => {
    await enforce(t, 'baseline')
    const { metadata: _, ...rest } = pod('x', { hostPID: true })
    const answer = await t.post('v1/pods', { ...rest, metadata: { generateName: 'web-' } })
    refused(answer, 403, 'Forbidden', /^pods "web-[a-z0-9]{5}" is forbidden: violates/)
  })
  check('a controller says in an event that it may not make its pods', 'controllers', async (t) => {
    await enforce(t, 'baseline')
    const template = { metadata: { labels: { app: 'a' } }, spec: { hostPID: true, containers: [container()] } }
    await t.make('apps/v1/deployments', deployment('a', { template }))
    const message = await t.until('the event', async () => {
      const { items } = await t.read('v1/events?fieldSelector=reason=FailedCreate')
      return items[0]?.message
    })
    says(
      message,
      /^Error creating: pods "a-[a-z0-9]+-[a-z0-9]{5}" is forbidden: violates PodSecurity "baseline:latest"/,
    )
  })
})
