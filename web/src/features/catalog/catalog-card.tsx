import type { CatalogItem } from '@quayside/contract/catalog/endpoints'
import IconStar from '@tabler/icons-react/dist/esm/icons/IconStar.mjs'
import IconStarFilled from '@tabler/icons-react/dist/esm/icons/IconStarFilled.mjs'
import { Link } from '@tanstack/react-router'
import { useWizards } from '../../api/deployments/wizards.tsx'
import type { Right } from '../../ui/actions/explain.ts'
import { GuardedButton, GuardedIconButton } from '../../ui/actions/guarded-button.tsx'
import { Tag } from '../../ui/lists/tag.tsx'
import { Avatar } from '../../ui/marks/avatar.tsx'
import { classNames } from '../../ui/marks/class-names.ts'
import styles from './catalog-card.module.css'

interface Props {
  item: CatalogItem
  deploys: Right
  features: Right
  /** The space that the page was opened from. */
  spaceId: string | undefined
  onFeatured: (featured: boolean) => void
}

/** An item at a glance: what it is, who makes it, how often it runs, and the way to deploy it. */
export function CatalogCard({ item, deploys, features, spaceId, onFeatured }: Props) {
  const { open } = useWizards()
  const star = item.featured ? IconStarFilled : IconStar
  return (
    <article className={styles.card} aria-label={item.displayName}>
      <header className={styles.head}>
        <Avatar name={item.displayName} color={item.color} image={item.iconEmbedded} />
        <div className={styles.names}>
          <h2>
            <Link to="/catalog/apps/$itemId" params={{ itemId: item.id }} className={styles.name}>
              <bdi>{item.displayName}</bdi>
            </Link>
          </h2>
          <bdi className={styles.by}>
            by {item.manufacturer.name}
            {item.source !== null && ` · from ${item.source.name}`}
          </bdi>
        </div>
        <GuardedIconButton
          {...features}
          icon={star}
          label={item.featured ? `Stop featuring ${item.displayName}` : `Feature ${item.displayName}`}
          className={classNames(styles.star, item.featured ? styles.featured : styles.plain)}
          onClick={() => onFeatured(!item.featured)}
        />
      </header>
      <p className={styles.text}>
        <bdi>{item.shortDescription || item.description}</bdi>
      </p>
      <p className={styles.facts}>
        <span>
          <bdi className="mono">{item.latestVersion}</bdi> · {item.type === 'App' ? item.appType : item.type}
          {item.newVersionAt !== null && (
            <>
              {' '}
              <Tag text="New version" />
            </>
          )}
        </span>
        {item.deployedCount > 0 && <bdi>{item.deployedCount} deployed</bdi>}
      </p>
      <footer className={styles.foot}>
        <bdi className={styles.category}>{item.category}</bdi>
        <GuardedButton
          small
          {...deploys}
          aria-label={`Deploy ${item.displayName}`}
          onClick={() => void open({ kind: 'install', versionId: item.latestVersionId, spaceId })}
        >
          Deploy
        </GuardedButton>
      </footer>
    </article>
  )
}
