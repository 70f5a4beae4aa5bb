import type { App } from '@quayside/contract/apps/endpoints'
import { useQuery } from '@tanstack/react-query'
import { catalogAppQuery } from '../../../api/deployments/deployments.ts'
import { usePortal } from '../../../lib/portal.tsx'
import { cardOfApp } from './wizard-card.ts'
import type { WizardCard } from './wizard-frame.tsx'

/** The card of a deployed app, with the category and the manufacturer that its catalog item has. */
export function useAppCard(app: App): WizardCard {
  const { api } = usePortal()
  const found = useQuery(catalogAppQuery(api, app.catalogVersionId))
  return cardOfApp(app, found.data?.child.item)
}
