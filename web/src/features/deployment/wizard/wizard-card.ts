import type { CatalogChild } from '@quayside/contract/catalog'
import type { App } from '@quayside/contract/portal-api'
import type { WizardCard } from './wizard-frame.tsx'

export function cardOfChild({ item, version }: CatalogChild): WizardCard {
  return {
    displayName: version.displayName || item.displayName,
    color: version.color,
    category: item.category,
    manufacturerName: item.manufacturer.name,
    icon: version.iconEmbedded ?? item.iconEmbedded ?? null,
  }
}

export function cardOfApp(app: App): WizardCard {
  return {
    displayName: app.displayName,
    color: app.color,
    category: app.itemType,
    manufacturerName: app.catalogItemName,
    icon: app.iconEmbedded,
  }
}
