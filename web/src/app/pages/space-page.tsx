import { useParams } from '@tanstack/react-router'
import { SpaceElevation } from '../../features/clusters/elevation/space-elevation.tsx'
import { KubeconfigList } from '../../features/clusters/kubeconfigs/kubeconfig-list.tsx'
import { PeopleField } from '../../features/permissions/members/people-field.tsx'
import { SpaceMembers } from '../../features/permissions/members/space-members.tsx'
import { Refused } from '../../features/permissions/why/refused.tsx'
import { SpacePage } from '../../features/spaces/space-page.tsx'
import { lazily } from '../../ui/states/lazily.tsx'
import { Loading } from '../../ui/states/loading.tsx'

const SpaceMetrics = lazily(
  () => import('../../features/metrics/space-metrics.tsx').then((module) => module.SpaceMetrics),
  <Loading />,
)

const SpaceLogs = lazily(
  () => import('../../features/logs/space-logs.tsx').then((module) => module.SpaceLogs),
  <Loading />,
)

/** A space with its members; closed, it says why. */
export function SpaceWithMembers() {
  const { spaceId } = useParams({ from: '/spaces/$spaceId/overview' })
  return (
    <SpacePage
      members={(space) => <SpaceMembers space={space} />}
      elevation={({ id }) => <SpaceElevation spaceId={id} />}
      exemptField={({ id }, value, onChange) => (
        <PeopleField spaceId={id} label="People who can still deploy" {...{ value, onChange }} />
      )}
      logs={(space) => <SpaceLogs space={space} />}
      metrics={(space) => <SpaceMetrics space={space} />}
      kubeconfigs={({ id }) => <KubeconfigList reach={{ of: 'space', id }} />}
      refused={(onRetry) => (
        <Refused
          question={{ ask: 'scope', scope: 'space.view', place: 'space', id: spaceId, purpose: 'open this space' }}
          onRetry={onRetry}
        />
      )}
    />
  )
}
