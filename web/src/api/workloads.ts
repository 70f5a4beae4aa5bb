import { clusters } from '@quayside/contract/clusters/endpoints'
import { log } from '@quayside/contract/clusters/logs'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Api } from '../lib/api/api.ts'
import { usePortal } from '../lib/portal.tsx'
import { call, stream } from './client.ts'

/** Everything that is read of an app's workload in the cluster. */
export const workloadKey = (appId: string) => ['workloads', appId] as const

type Read<T> = (api: Api, ofApp: { params: { id: string } }) => Promise<T>

/** One part of an app's workload in the cluster; the server announces when it has changed. */
function useWorkload<T>(appId: string, part: string, read: Read<T>) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...workloadKey(appId), part],
    queryFn: () => read(api, { params: { id: appId } }),
    placeholderData: keepPreviousData,
  })
}

export const useOverview = (appId: string) =>
  useWorkload(appId, 'overview', (api, ofApp) => call(api, clusters.overview, ofApp))
export const usePods = (appId: string) => useWorkload(appId, 'pods', (api, ofApp) => call(api, clusters.pods, ofApp))
export const useWorkloads = (appId: string) =>
  useWorkload(appId, 'deployments', (api, ofApp) => call(api, clusters.deployments, ofApp))
export const usePvcs = (appId: string) => useWorkload(appId, 'pvcs', (api, ofApp) => call(api, clusters.pvcs, ofApp))
export const useServices = (appId: string) =>
  useWorkload(appId, 'services', (api, ofApp) => call(api, clusters.services, ofApp))
export const useServiceAccounts = (appId: string) =>
  useWorkload(appId, 'serviceAccounts', (api, ofApp) => call(api, clusters.serviceAccounts, ofApp))
export const useAppEvents = (appId: string) =>
  useWorkload(appId, 'events', (api, ofApp) => call(api, clusters.appEvents, ofApp))

/** Deletes a pod of an app; what owns it starts a new one. */
export const deletePod = (api: Api, appId: string, namespace: string, pod: string) =>
  call(api, clusters.deletePod, { params: { appId, namespace, pod } })

interface PodLog {
  appId: string
  pod: string
  container: string | undefined
  previous: boolean
  follow: boolean
}

/** The log of a pod as text, as it comes. */
export async function readPodLog(api: Api, wanted: PodLog, signal: AbortSignal) {
  const { appId, pod, container, previous, follow } = wanted
  const query = {
    container,
    previous: previous ? 'true' : 'false',
    follow: follow && !previous ? 'true' : 'false',
    tailLines: 1000,
  } as const
  const { body } = await stream(api, log.podLog, { params: { id: appId, pod }, query, signal })
  return (body ?? new Blob().stream()).pipeThrough(new TextDecoderStream()).getReader()
}
