import { conflict } from '../../api-error.ts'
import { docOf, listOf, textOf } from '../../store/doc.ts'
import { kubeTime } from '../../store/names.ts'
import { bodyOf, bodyTypeOf, nameOf, type ResourceRequest } from '../objects/resource-request.ts'
import { decodeBody } from '../read-body.ts'
import { created, type Reply } from '../reply.ts'

/** Puts a pod on a node, as a scheduler does. */
export async function bindPod(request: ResourceRequest): Promise<Reply> {
  const body = docOf(decodeBody(bodyTypeOf(request), await bodyOf(request)))
  const node = textOf(docOf(body.target).name)
  const { store, clock } = request.context
  const name = nameOf(request)
  store.update('/pods', request.path.namespace, name, (pod) => {
    const spec = docOf(pod.spec)
    if (spec.nodeName) {
      const why = `pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`
      throw conflict({ group: '', resource: 'pods/binding' }, name, why)
    }
    const status = docOf(pod.status)
    const scheduled = {
      type: 'PodScheduled',
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: kubeTime(clock.now()),
    }
    const others = listOf(status.conditions).filter((condition) => docOf(condition).type !== 'PodScheduled')
    return { ...pod, spec: { ...spec, nodeName: node }, status: { ...status, conditions: [...others, scheduled] } }
  })
  return created({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 })
}
