import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import type { WizardCard } from './wizard-frame.tsx'

export function cardOfChild({ item, version }: CatalogChild): WizardCard {
  return {
    displayName: version.displayName || item.displayName,
    color: version.color,
    category: item.category,
    manufacturerName: item.manufacturer.name,
    icon: version.iconEmbedded ?? item.iconEmbedded,
  }
}

/** The card of an app; without the item, the manufacturer is empty and the category is the item type. */
export function cardOfApp(app: App, item?: CatalogChild['item']): WizardCard {
  return {
    displayName: app.displayName,
    color: app.color,
    category: item?.category ?? app.itemType,
    manufacturerName: item?.manufacturer.name ?? '',
    icon: app.iconEmbedded,
  }
}
