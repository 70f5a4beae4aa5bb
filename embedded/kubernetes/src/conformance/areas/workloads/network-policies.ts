import assert from 'node:assert/strict'
import { expectCode, invalid } from '../../answers.ts'
import { area } from '../../check.ts'
import type { Scope } from '../../scope.ts'

const POLICIES = 'networking.k8s.io/v1/networkpolicies'

const policy = (spec: object) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'isolation' },
  spec,
})

export const networkPolicies = area('network policies', (check) => {
  const post = (t: Scope, spec: object) => t.post(`${POLICIES}?dryRun=All`, policy(spec))
  const from = (peer: object) => ({ podSelector: {}, ingress: [{ from: [peer] }] })
  const to = (port: object) => ({ podSelector: {}, egress: [{ ports: [port] }] })
  check('a policy is kept, with what was left out filled in', async (t) => {
    const made = await t.make(POLICIES, policy({ podSelector: {}, egress: [{ ports: [{ port: 53 }] }] }))
    assert.deepEqual(made.spec.policyTypes, ['Ingress', 'Egress'])
    assert.deepEqual(made.spec.egress, [{ ports: [{ port: 53, protocol: 'TCP' }] }])
    assert.equal(made.metadata.generation, 1)
    await t.remove(`${POLICIES}/isolation`)
    const { spec } = expectCode(await post(t, { podSelector: {}, egress: [] }), 201)
    assert.deepEqual(spec.policyTypes, ['Ingress'])
  })
  check('a peer is something, and a block of addresses is nothing else', async (t) => {
    invalid(await post(t, from({})), ['spec.ingress[0].from[0]', 'Required value: must specify a peer'])
    invalid(await post(t, from({ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } })), [
      'spec.ingress[0].from[0]',
      'Forbidden: may not specify both ipBlock and another peer',
    ])
  })
  check('a block of addresses is one, and its exceptions lie within', async (t) => {
    const block = (ipBlock: object) => post(t, from({ ipBlock }))
    invalid(await block({ cidr: 'all' }), [
      'spec.ingress[0].from[0].ipBlock.cidr',
      'Invalid value: "all": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ])
    invalid(await block({ cidr: '' }), ['spec.ingress[0].from[0].ipBlock.cidr', 'Required value'])
    const outside = 'must be a strict subset of `cidr`'
    invalid(
      await block({ cidr: '10.0.0.0/8', except: ['10.1.0.0/16', '192.168.0.0/16', '10.0.0.0/8', 'fd00::/8'] }),
      ['spec.ingress[0].from[0].ipBlock.except[1]', `Invalid value: "192.168.0.0/16": ${outside}`],
      ['spec.ingress[0].from[0].ipBlock.except[2]', `Invalid value: "10.0.0.0/8": ${outside}`],
      ['spec.ingress[0].from[0].ipBlock.except[3]', `Invalid value: "fd00::/8": ${outside}`],
    )
    expectCode(await block({ cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] }), 201)
    expectCode(await block({ cidr: '2001:db8::/32', except: ['2001:db8:1::/48'] }), 201)
  })
  check('ports are ports, and ranges end after they begin', async (t) => {
    const at = 'spec.egress[0].ports[0]'
    invalid(await post(t, to({ port: 70_000 })), [
      `${at}.port`,
      'Invalid value: 70000: must be between 1 and 65535, inclusive',
    ])
    invalid(await post(t, to({ port: 80, endPort: 79 })), [
      `${at}.endPort`,
      'Invalid value: 80: must be greater than or equal to `port`',
    ])
    invalid(await post(t, to({ endPort: 79 })), [
      `${at}.endPort`,
      'Invalid value: 79: may not be specified when `port` is not specified',
    ])
    invalid(await post(t, to({ port: 'http', endPort: 79 })), [
      `${at}.endPort`,
      'Invalid value: 79: may not be specified when `port` is non-numeric',
    ])
    invalid(await post(t, to({ port: 80, protocol: 'ICMP' })), [
      `${at}.protocol`,
      'Unsupported value: "ICMP": supported values: "TCP", "UDP", "SCTP"',
    ])
    expectCode(await post(t, to({ port: 80, endPort: 90, protocol: 'UDP' })), 201)
  })
  check('selectors are ones', async (t) => {
    const selector = {
      matchExpressions: [
        { key: 'a', operator: 'Maybe' },
        { key: 'b', operator: 'In' },
      ],
    }
    invalid(
      await post(t, { podSelector: selector }),
      ['spec.podSelector.matchExpressions[0].operator', 'Invalid value: "Maybe": not a valid selector operator'],
      [
        'spec.podSelector.matchExpressions[1].values',
        "Required value: must be specified when `operator` is 'In' or 'NotIn'",
      ],
    )
  })
  check('a policy is about what comes in, what goes out, or both', async (t) => {
    invalid(await post(t, { podSelector: {}, policyTypes: ['Sideways'] }), [
      'spec.policyTypes[0]',
      'Unsupported value: "Sideways": supported values: "Ingress", "Egress"',
    ])
  })
})
