import type { CatalogItem } from '@quayside/contract/catalog/endpoints'
import IconStar from '@tabler/icons-react/dist/esm/icons/IconStar.mjs'
import IconStarFilled from '@tabler/icons-react/dist/esm/icons/IconStarFilled.mjs'
import { Link } from '@tanstack/react-router'
import { useWizards } from '../../api/deployments/wizards.tsx'
import { IconButton } from '../../ui/actions/button.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { Avatar } from '../../ui/marks/avatar.tsx'
import { classNames } from '../../ui/marks/class-names.ts'
import styles from './catalog-card.module.css'

interface Props {
  item: CatalogItem
  mayDeploy: boolean | undefined
  /** The space that the page was opened from. */
  spaceId: string | undefined
  /** Left out for people who may not change it. */
  onFeatured: ((featured: boolean) => void) | undefined
}

/** An item at a glance: what it is, who makes it, how often it runs, and the way to deploy it. */
export function CatalogCard({ item, mayDeploy, spaceId, onFeatured }: Props) {
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
          <bdi className={styles.by}>by {item.manufacturer.name}</bdi>
        </div>
        {onFeatured !== undefined ? (
          <IconButton
            icon={star}
            label={item.featured ? `${item.displayName} is featured; take it off` : `Feature ${item.displayName}`}
            className={classNames(styles.star, item.featured ? styles.featured : styles.plain)}
            onClick={() => onFeatured(!item.featured)}
          />
        ) : (
          item.featured && <IconStarFilled size={18} role="img" aria-label="Featured" className={styles.featured} />
        )}
      </header>
      <p className={styles.text}>
        <bdi>{item.shortDescription || item.description}</bdi>
      </p>
      <p className={styles.facts}>
        <span>
          <bdi className="mono">{item.latestVersion}</bdi> · {item.type === 'App' ? item.appType : item.type}
        </span>
        {item.deployedCount > 0 && <bdi>{item.deployedCount} deployed</bdi>}
      </p>
      <footer className={styles.foot}>
        <bdi className={styles.category}>{item.category}</bdi>
        <GuardedButton
          small
          allowed={mayDeploy}
          why={{ ask: 'somewhere', scope: 'space.deploy', deed: `deploy ${item.displayName}` }}
          aria-label={`Deploy ${item.displayName}`}
          onClick={() => void open({ kind: 'install', versionId: item.latestVersionId, spaceId })}
        >
          Deploy
        </GuardedButton>
      </footer>
    </article>
  )
}
