import type { Space } from '@quayside/contract/spaces/endpoints'
import { Link } from '@tanstack/react-router'
import { useCosts } from '../../../api/cost/allocation.ts'
import { SpaceBudget } from '../budget/space-budget.tsx'
import styles from '../prices/prices.module.css'
import { CostTable } from './cost-table.tsx'

/** The Cost tab of an app. */
export function AppCost({ appId }: { appId: string }) {
  const costs = useCosts({ appId }, 'app')
  return <CostTable label="Cost of the app" first="App" costs={costs} nameCell={({ name }) => <bdi>{name}</bdi>} />
}

/** The Cost tab of a space: its budget, and its costs by app. */
export function SpaceCost({ space }: { space: Pick<Space, 'id' | 'displayName'> }) {
  return (
    <div className={styles.stack}>
      <SpaceBudget space={space} />
      <CostByApp spaceId={space.id} />
    </div>
  )
}

function CostByApp({ spaceId }: { spaceId: string }) {
  const costs = useCosts({ spaceId }, 'app')
  return (
    <CostTable
      label="Cost by app"
      first="App"
      costs={costs}
      nameCell={({ name, month: { properties } }) =>
        properties.app === undefined ? (
          <bdi>{name}</bdi>
        ) : (
          <Link to="/apps/$appId" params={{ appId: properties.app }}>
            <bdi>{name}</bdi>
          </Link>
        )
      }
    />
  )
}

/** Costs of the spaces that the person sees, and on the page of a cluster of what they leave idle. */
export function CostBySpace({ clusterId }: { clusterId?: string }) {
  const costs = useCosts(clusterId === undefined ? {} : { clusterId }, 'space', {
    includeIdle: clusterId === undefined ? 'false' : 'true',
  })
  return (
    <CostTable
      label="Cost by space"
      first="Space"
      costs={costs}
      nameCell={({ name, month: { properties } }) =>
        properties.space === undefined ? (
          <bdi>{name}</bdi>
        ) : (
          <Link to="/spaces/$spaceId/overview" params={{ spaceId: properties.space }} search={{ tab: 'cost' } as never}>
            <bdi>{name}</bdi>
          </Link>
        )
      }
    />
  )
}
