import assert from 'node:assert/strict'
import { type Body, holds, refused } from '../../answers.ts'
import { area } from '../../check.ts'
import type { Scope } from '../../scope.ts'

export const containers = area('inside of pods', (check) => {
  const running = async (t: Scope, name: string) => {
    await t.account()
    await t.make('v1/pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: { containers: [{ name: 'main', image: 'nginx:1.27' }] },
    })
    await t.until('the pod to run', async () => {
      const { status } = await t.read(`v1/pods/${name}`)
      return status.conditions?.some(({ type, status: is }: Body) => type === 'Ready' && is === 'True')
    })
  }
  check('logs are told, from the end, and with times', 'sandbox', async (t) => {
    await running(t, 'one')
    const lines = await t.until('some lines', async () => {
      const { body } = await t.get('v1/pods/one/log')
      return typeof body === 'string' && body.trim().split('\n').length > 1 && body.trim().split('\n')
    })
    const last = await t.get('v1/pods/one/log?tailLines=1')
    assert.equal(last.body.trim().split('\n').length, 1)
    const timed = await t.get('v1/pods/one/log?timestamps=true&limitBytes=4000')
    assert.match(timed.body, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z /)
    assert.ok(lines.length > 1)
  })
  check('logs need a container that is there', 'nodes', async (t) => {
    await running(t, 'one')
    const answer = await t.get('v1/pods/one/log?container=other')
    refused(answer, 400, 'BadRequest', 'container other is not valid for pod one')
  })
  check('a pod that waits has no logs yet', async (t) => {
    await t.account()
    const body = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'one' },
      spec: { nodeSelector: { never: 'here' }, containers: [{ name: 'main', image: 'x' }] },
    }
    await t.make('v1/pods', body)
    assert.equal((await t.get('v1/pods/one/log')).code, 204)
  })
  check('logs of two containers need a choice', async (t) => {
    await t.account()
    const pair = ['a', 'b'].map((name) => ({ name, image: 'x' }))
    await t.make('v1/pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'one' },
      spec: { nodeSelector: { never: 'here' }, containers: pair },
    })
    refused(
      await t.get('v1/pods/one/log'),
      400,
      'BadRequest',
      'a container name must be specified for pod one, choose one of: [a b]',
    )
  })
  check('kubectl follows logs', 'sandbox', async (t) => {
    await running(t, 'one')
    const { code, out } = await t.until('some lines', async () => {
      const said = await t.kubectl('logs one --tail=2 --timestamps')
      return said.out.includes('\n') && said
    })
    assert.equal(code, 0)
    assert.ok(out.trim().split('\n').length <= 2)
  })
  check('exec, attach and port-forward are refused with the reason', 'sandbox', async (t) => {
    await running(t, 'one')
    for (const part of ['exec?command=ls', 'attach', 'portforward'])
      refused(await t.call('POST', t.path(`v1/pods/one/${part}`)), 501, 'NotImplemented', /its workloads are simulated/)
    const said = await t.kubectl('exec one -- ls')
    assert.notEqual(said.code, 0)
    assert.match(said.err, /simulated/)
  })
  check('what pods and nodes use is measured', 'metrics', async (t) => {
    await running(t, 'one')
    const { containers: used } = await t.until('the figures', async () => {
      const answer = await t.get('metrics.k8s.io/v1beta1/pods/one')
      return answer.code === 200 && answer.body
    })
    assert.equal(used[0].name, 'main')
    assert.match(used[0].usage.cpu, /^\d+[nmu]?$/)
    const nodes = (await t.call('GET', '/apis/metrics.k8s.io/v1beta1/nodes')).body
    holds(nodes, { kind: 'NodeMetricsList' })
    assert.match((await t.kubectl('top pods')).out, /^NAME +CPU\(cores\) +MEMORY\(bytes\)\s+one +\d+m +\d+Mi/m)
  })
})
