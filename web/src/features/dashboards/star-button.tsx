import type { DashboardRow } from '@quayside/contract/dashboards/endpoints'
import IconStar from '@tabler/icons-react/dist/esm/icons/IconStar.mjs'
import IconStarFilled from '@tabler/icons-react/dist/esm/icons/IconStarFilled.mjs'
import { useStarDashboard } from '../../api/dashboards/dashboards.ts'
import { IconButton } from '../../ui/actions/button.tsx'

/** Stars a dashboard, for the person alone. */
export function StarButton({ dashboard: { id, displayName, starred } }: { dashboard: DashboardRow }) {
  const star = useStarDashboard()
  return (
    <IconButton
      icon={starred ? IconStarFilled : IconStar}
      label={starred ? `Unstar ${displayName}` : `Star ${displayName}`}
      disabled={star.isPending}
      onClick={() => star.mutate({ id, starred: !starred })}
    />
  )
}
