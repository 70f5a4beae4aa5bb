import type { Space } from '@quayside/contract/spaces/endpoints'
import { useAppsOfSpace } from '../../api/app.ts'
import { LogView } from './log-view.tsx'

/** The logs of all apps of a space; one that is not on the list of the chip is read on its own page. */
export function SpaceLogs({ space }: { space: Space }) {
  const apps = useAppsOfSpace(space.id, undefined, 0).data?.data ?? []
  const deployed = apps.filter(({ releaseName }) => releaseName !== null)
  return (
    <LogView
      of={{ space: space.id }}
      fileName={`${space.namespace}.log`}
      part={{ key: 'app', label: 'App', options: deployed.map((app) => ({ value: app.id, label: app.displayName })) }}
    />
  )
}
