import type { Action, ActionKind } from '@quayside/contract/deployments/endpoints'
import { texts } from '../texts.ts'

/** The display name of each kind of action, and the advice after a failure. */
export const kinds: Record<ActionKind, { name: string; advice: string; isFollowed: boolean; isRetried: boolean }> = {
  Assign: { name: 'Assign', advice: 'Start again from the catalog.', isFollowed: false, isRetried: false },
  Prepare: { name: 'Prepare', advice: 'Open the wizard again.', isFollowed: false, isRetried: false },
  Deploy: {
    name: 'Install',
    advice: 'The app keeps its name and values. Try again, or open it for its logs or to delete it.',
    isFollowed: true,
    isRetried: true,
  },
  Upgrade: {
    name: 'Upgrade',
    advice: 'The revision before is still there. Try again, or roll back from the app.',
    isFollowed: true,
    isRetried: true,
  },
  Rollback: {
    name: 'Rollback',
    advice: texts.progress.advice.Rollback,
    isFollowed: true,
    isRetried: true,
  },
  Delete: {
    name: 'Delete',
    advice: texts.progress.advice.Delete,
    isFollowed: true,
    isRetried: true,
  },
  DeleteSpace: {
    name: 'Delete space',
    advice: 'What the space has left on a cluster is removed when the cluster answers again.',
    isFollowed: false,
    isRetried: false,
  },
  DeregisterCluster: {
    name: 'Deregister cluster',
    advice: 'Deregister the cluster again, or forget it if it never comes back.',
    isFollowed: false,
    isRetried: false,
  },
  LeaveCluster: {
    name: 'Leave cluster',
    advice: 'What the space has left on the cluster is removed when the cluster answers again.',
    isFollowed: false,
    isRetried: false,
  },
  ChangeWorkload: {
    name: 'Change workload',
    advice: 'Nothing was changed. Change it again from the tab Scaling & limits of the app.',
    isFollowed: false,
    isRetried: false,
  },
  Repair: {
    name: 'Repair',
    advice: 'Open the app to see what holds its release, and repair it from there.',
    isFollowed: false,
    isRetried: false,
  },
}

/** A release that a failed action leaves may be locked; looking does no harm. */
export const mayRepair = ({ running, state, kind, releaseName, appId }: Action) =>
  !running && state === 'Failed' && kinds[kind].isRetried && releaseName !== null && appId !== null
export const mayRetry = ({ running, state, kind }: Action) => !running && state === 'Failed' && kinds[kind].isRetried
/** A cluster that did not answer in time may never come back. */
export const mayForget = ({ running, state, kind, clusterId }: Action) =>
  !running && state === 'Failed' && kind === 'DeregisterCluster' && clusterId !== null
