import { randomBytes } from 'node:crypto'
import type { Access } from '../auth/access.ts'
import type { Clock } from '../clock.ts'
import type { ObjectStore } from '../object-store.ts'
import type { Engine } from './engine/engine.ts'
import { createEventRecorder } from './engine/event-recorder.ts'
import { type Controller, startReconcileLoop } from './engine/reconcile-loop.ts'
import { typedStore } from './engine/typed-store.ts'
import { apiServiceController, definitionController } from './housekeeping/definitions.ts'
import { garbageCollector } from './housekeeping/garbage-collector.ts'
import { namespaceController } from './housekeeping/namespaces.ts'
import { nodeController } from './housekeeping/nodes.ts'
import { type SignToken, tokenController } from './housekeeping/tokens.ts'
import { certManager } from './kubelet/cert-manager.ts'
import { createChores } from './kubelet/chores.ts'
import { kubelet } from './kubelet/kubelet.ts'
import { type PodLogOptions, type PodLogStream, readPodLog } from './kubelet/pod-log.ts'
import { endpointsController } from './network/endpoints.ts'
import { ingressController, loadBalancerController } from './network/load-balancers.ts'
import { scheduler } from './scheduling/scheduler.ts'
import { claimController } from './storage/claims.ts'
import { ephemeralVolumeController } from './storage/ephemeral-volumes.ts'
import { volumeController } from './storage/volumes.ts'
import { autoscalerController } from './workloads/autoscaler.ts'
import { cronJobController } from './workloads/cron-job.ts'
import { daemonSetController } from './workloads/daemon-set.ts'
import { deploymentController } from './workloads/deployment.ts'
import { disruptionBudgetController } from './workloads/disruption-budget.ts'
import { jobController } from './workloads/job.ts'
import { podUsage, type Usage } from './workloads/pod-usage.ts'
import { replicaSetController, replicationController } from './workloads/replica-set.ts'
import { statefulSetController } from './workloads/stateful-set.ts'

interface ControllersOptions {
  store: ObjectStore
  clock: Clock
  /** PEM of the cluster's certificate authority, as pods and namespaces get it. */
  caCertificate?: string
  signToken?: SignToken
  /** Rights by account: programs in pods are simulated within the rights of their service accounts. */
  access?: Pick<Access, 'rulesFor'>
  /** Told of failures that are not a client's doing; the control loop goes on. */
  onError?: (error: unknown, where: string) => void
}

export interface Controllers {
  close(): void
  /** The log of a pod's container; throws the errors that a kubelet would answer with. */
  podLog(namespace: string, pod: string, options?: PodLogOptions): PodLogStream
  /** CPU and memory that a running pod's containers use, by container. */
  podUsage(namespace: string, pod: string): Map<string, Usage>
}

function report(error: unknown, where: string) {
  console.error(`sandbox: ${where}:`, error)
}

/** Brings the objects of a store to life. All state is in the store: stopped and started again, work goes on. */
export function startControllers(options: ControllersOptions): Controllers {
  const { store: objects, clock, caCertificate = '', onError = report } = options
  const signToken = options.signToken ?? (() => randomBytes(32).toString('base64url'))
  const store = typedStore(objects)
  const events = createEventRecorder(store, clock)
  const engine: Engine = { store, clock, events }
  const controllers: Controller[] = [
    namespaceController(engine, caCertificate),
    tokenController(engine, caCertificate, signToken),
    definitionController(engine),
    apiServiceController(engine),
    nodeController(engine),
    deploymentController(engine),
    replicaSetController(engine),
    replicationController(engine),
    statefulSetController(engine),
    daemonSetController(engine),
    jobController(engine),
    cronJobController(engine),
    autoscalerController(engine),
    disruptionBudgetController(engine),
    claimController(engine),
    volumeController(engine),
    scheduler(engine),
    kubelet(engine, createChores(engine, options.access, onError)),
    ephemeralVolumeController(engine),
    certManager(engine, onError),
    endpointsController(engine),
    loadBalancerController(engine),
    ingressController(engine),
    garbageCollector(engine),
  ]
  const loop = startReconcileLoop(store, clock, controllers, (error, name, key) => onError(error, `${name} ${key}`))
  return {
    podLog: (namespace, pod, logOptions = {}) => readPodLog(engine, namespace, pod, logOptions),
    podUsage(namespace, name) {
      const pod = store.get('/pods', namespace, name)
      return pod ? podUsage(store, pod, clock.now()) : new Map()
    },
    close() {
      loop.close()
      events.close()
    },
  }
}
