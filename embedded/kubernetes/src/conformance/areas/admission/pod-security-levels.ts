import assert from 'node:assert/strict'
import { expectCode, refused } from '../../answers.ts'
import { area } from '../../check.ts'
import { pod } from '../../objects.ts'
import { careful, contained, container, RESTRICTED } from '../../pod-rights.ts'
import { enforce } from '../../pod-security-labels.ts'

const volume = (source: object) => ({ volumes: [{ name: 'v', ...source }] })
const only = 'container "main"'

/** Pod specs that violate the baseline level, each with the message of the refusal. */
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

export const podSecurityLevels = area('pod security levels', (check) => {
  const refusal = (level: string, message: string) =>
    `pods "bad" is forbidden: violates PodSecurity "${level}": ${message}`

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
})
