/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.zklock.autoconfigure;

import java.io.File;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

import io.github.zklock.annotation.LockValidation;
import io.github.zklock.core.LockRequest;
import io.github.zklock.zookeeper.Fairness;
import io.github.zklock.zookeeper.OwnerDetail;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.core.Ordered;
import org.springframework.format.annotation.DurationFormat.Unit;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;

/**
 * Configuration properties of distributed locks. The names of the properties are stable.
 * The constructor and the accessors change with each new property.
 *
 * @param enabled Whether to enable distributed locks. When disabled, methods run under
 * locks that are granted at once and exclude no other call.
 * @param connectString Comma-separated list of the host:port pairs of the ZooKeeper
 * ensemble. Not used with a CuratorFramework bean of the application.
 * @param namespace Path put before every path of the client. Not used with a
 * CuratorFramework bean of the application.
 * @param root Path of the znode under which locks live. Nodes of one lock space must use
 * the same root.
 * @param sessionTimeout Silence after which ZooKeeper ends a session and frees its locks.
 * Not used with a CuratorFramework bean of the application.
 * @param connectionTimeout Time after which an attempt to connect counts as failed. A
 * CuratorFramework bean of the application has its own.
 * @param failFast Whether to stop the application when ZooKeeper cannot be reached at
 * startup, or does not let it lock.
 * @param startupTimeout Timeout for ZooKeeper at startup when fail-fast is enabled.
 * @param ownerData What the znode of a lock shows about its holder. It never holds
 * arguments of a method. Set it to minimal if other users of ZooKeeper must not see
 * hosts.
 * @param keyInSpans Whether spans of locks hold the keys, and messages with keys. Enable
 * it if keys are no personal data.
 * @param keyDigestSecret Secret of at least 16 characters. With it, ZooKeeper sees a
 * digest (HMAC-SHA-256) in the place of each key. All applications that share locks need
 * the same.
 * @param defaultWait Timeout of a request for a lock when neither the annotation nor the
 * override of its name sets one.
 * @param tryTimeout Timeout of a non-blocking attempt, which is a request with a wait of
 * zero. All keys of one request share it. The time for the first connection of the client
 * does not count. Raise it if ZooKeeper is far away.
 * @param commitWait Time that a commit waits for an interrupted connection while its
 * locks may still be held. By default as long as they may be held. Limit it if the pool
 * of database connections is small.
 * @param outageFailFast Time without a connection to ZooKeeper after which requests for
 * locks are refused at once, until the connection is back. By default each request waits
 * as long as it may. Set it if callers cannot wait in an outage.
 * @param fairness Order in which callers that wait for a lock get it. Set it to strict if
 * calls of all JVMs must run in the order of their requests.
 * @param awaitRelease Whether the release of a lock waits until ZooKeeper has confirmed
 * it, one second at most, or three while the connection is lost. Otherwise the lock is
 * free a little later, and a late loss is only logged.
 * @param executorsDependOnClient Whether executors and schedulers are shut down before
 * the client. Disable when the client itself depends on one of them.
 * @param lease how long a lock is certain to be held
 * @param auth how the client authenticates
 * @param ssl how the client uses TLS
 * @param embedded the embedded server
 * @param aop how annotated methods are intercepted
 * @param fencing transactions of {@code @Fenced} methods
 * @param endpoint the endpoint of the actuator
 * @param leader roles that one node of the cluster leads
 * @param locks Overrides by the name of a lock: wait (a duration, or forever), unguarded,
 * cache, once-per-tick, recover-within, max-attempts, shards-per-node. The name is
 * class-name-method unless the annotation sets one.
 * @since 0.1.0
 */
@ConfigurationProperties("zk-lock")
public record ZkLockProperties(@DefaultValue("true") boolean enabled,
		@DefaultValue("localhost:2181") String connectString, @Nullable String namespace,
		@DefaultValue("/locks") String root, @DefaultValue("20s") Duration sessionTimeout,
		@DefaultValue("5s") Duration connectionTimeout, @DefaultValue("false") boolean failFast,
		@DefaultValue("10s") Duration startupTimeout, @DefaultValue("full") OwnerDetail ownerData,
		@DefaultValue("false") boolean keyInSpans, @Nullable String keyDigestSecret,
		@DefaultValue("10s") Duration defaultWait, @DefaultValue("500ms") Duration tryTimeout,
		@Nullable Duration commitWait, @Nullable Duration outageFailFast, @DefaultValue("bounded") Fairness fairness,
		@DefaultValue("true") boolean awaitRelease, @DefaultValue("true") boolean executorsDependOnClient,
		@DefaultValue Lease lease, @DefaultValue Auth auth, @DefaultValue Ssl ssl, @DefaultValue Embedded embedded,
		@DefaultValue Aop aop, @DefaultValue Fencing fencing, @DefaultValue Endpoint endpoint,
		@DefaultValue Leader leader, @DefaultValue Map<String, Lock> locks) {

	// The text of a record holds its secrets.
	@Override
	public String toString() {
		return "zk-lock";
	}

	/**
	 * How long a lock is certain to be held after the last reply of ZooKeeper.
	 *
	 * @param serverTick Value of tickTime in the configuration of the ZooKeeper servers,
	 * which a client cannot query. Twice that value if clients connect to observers that
	 * follow a follower (observerMasterPort), since the leader hears of them half a tick
	 * later.
	 * @since 0.1.0
	 */
	public record Lease(@DefaultValue("2s") Duration serverTick) {

	}

	/**
	 * As whom the client authenticates.
	 *
	 * @param digest user and password of ZooKeeper's scheme digest
	 * @param sasl how the client authenticates with SASL
	 * @since 0.1.0
	 */
	public record Auth(@DefaultValue Digest digest, @DefaultValue Sasl sasl) {

		boolean isSet() {
			return this.digest.isSet() || this.sasl.isSet();
		}

		/**
		 * User and password of ZooKeeper's scheme digest.
		 *
		 * @param username User of the scheme digest.
		 * @param password Password of that user.
		 * @since 0.1.0
		 */
		public record Digest(@Nullable String username, @Nullable String password) {

			boolean isSet() {
				return StringUtils.hasText(this.username);
			}

			@Override
			public String toString() {
				return "digest";
			}

		}

		/**
		 * How the client authenticates with SASL.
		 *
		 * @param jaasEntry Section of the JAAS configuration of the JVM with which the
		 * client authenticates.
		 * @param loginModule Login module that takes the options, when there is no JAAS
		 * configuration: the one of ZooKeeper's digest or of Kerberos.
		 * @param options Options of the login module, like username and password.
		 * @since 0.1.0
		 */
		public record Sasl(@Nullable String jaasEntry, @DefaultValue(DIGEST_MODULE) String loginModule,
				@DefaultValue Map<String, String> options) {

			static final String DIGEST_MODULE = "org.apache.zookeeper.server.auth.DigestLoginModule";

			private static final Set<String> MODULES = Set.of(DIGEST_MODULE,
					"com.sun.security.auth.module.Krb5LoginModule", "com.ibm.security.auth.module.Krb5LoginModule");

			// A module like JndiLoginModule does what its options say, in this JVM.
			boolean isModuleAllowed() {
				return MODULES.contains(this.loginModule);
			}

			boolean isSet() {
				return StringUtils.hasText(this.jaasEntry) || !this.options.isEmpty();
			}

			@Override
			public String toString() {
				return "sasl";
			}

		}

	}

	/**
	 * TLS between the client and ZooKeeper.
	 *
	 * @param bundle Name of the SSL bundle with which the client uses TLS. Without one it
	 * does not.
	 * @since 0.1.0
	 */
	public record Ssl(@Nullable String bundle) {

	}

	/**
	 * A ZooKeeper server inside the application, for development.
	 *
	 * @param enabled Whether to start a ZooKeeper server inside the application and take
	 * locks there. For development only.
	 * @param port Port of the embedded server on the loopback address; 0 is any free one.
	 * When the port is taken, the server that listens there is used.
	 * @param dataDir Directory that keeps the data of the embedded server, so that
	 * fencing tokens go on growing after a restart. By default a temporary one that is
	 * deleted at the end.
	 * @since 0.1.0
	 */
	public record Embedded(@DefaultValue("false") boolean enabled, @DefaultValue("0") int port,
			@Nullable File dataDir) {

	}

	/**
	 * How annotated methods are intercepted.
	 *
	 * @param order Position of the lock among the advices of a method. Lower values are
	 * further outside. Set it if an advice of the application must have another place.
	 * @param validation What to do at startup about annotated methods that cannot be
	 * guarded.
	 * @since 0.1.0
	 */
	public record Aop(@DefaultValue("" + DEFAULT_ORDER) int order, @DefaultValue("fail") LockValidation validation) {

		static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

	}

	/**
	 * Transactions of {@code @Fenced} methods.
	 *
	 * @param dataSource Name of the DataSource bean whose transactions are fenced unless
	 * the annotation names another. By default the only or primary one.
	 * @param timeout Time that the database may take to raise the fence of a lock. It
	 * waits for the commit of an earlier holder that is past its check. At least a
	 * second.
	 * @param initializeSchema When to create the table zk_lock_fence: in an embedded
	 * database, always or never. Only in an application that has a @Fenced method, or
	 * uses FencedTransactions.
	 * @param checkSql Statement for a database that is not known. It checks a fence
	 * before a commit and locks its row until the end of the transaction. Its parameters
	 * are the key, the lowest and the highest token.
	 * @since 0.1.0
	 */
	public record Fencing(@Nullable String dataSource, @DefaultValue("5s") Duration timeout,
			@DefaultValue("embedded") InitializeSchema initializeSchema, @Nullable String checkSql) {

		/**
		 * When to create the table.
		 */
		public enum InitializeSchema {

			/** In an embedded database. */
			EMBEDDED,

			/** In any database. */
			ALWAYS,

			/** Not at all. */
			NEVER

		}

	}

	/**
	 * What the endpoint {@code zklocks} of the actuator may do.
	 *
	 * @param revoke Whether an administrator can take a lock away from its holder. The
	 * endpoint needs unrestricted access as well.
	 * @since 0.1.0
	 */
	public record Endpoint(@DefaultValue("false") boolean revoke) {

	}

	/**
	 * Roles that one node of the cluster leads.
	 *
	 * @param followReadiness Whether a node leads roles only while the application
	 * accepts traffic. It gives its roles up as soon as the application refuses traffic.
	 * @param roles Settings by the name of a role: enabled. With false, this node does
	 * not ask for the role.
	 * @since 0.1.0
	 */
	public record Leader(@DefaultValue("false") boolean followReadiness, @DefaultValue Map<String, Role> roles) {

		/**
		 * What the configuration says about one role.
		 *
		 * @param enabled Whether this node may lead the role.
		 * @since 0.1.0
		 */
		public record Role(@DefaultValue("true") boolean enabled) {

		}

	}

	/**
	 * What the configuration says about the locks of one name.
	 *
	 * @param maxWait Timeout for acquiring the lock, instead of the value of the
	 * annotation: a duration, or 'forever'.
	 * @param unguarded Whether methods run without the lock. It is granted at once then,
	 * and excludes no other call.
	 * @param cache Whether the process may keep the lock for its next call, until others
	 * request it.
	 * @param oncePerTick Whether a scheduled method runs once per tick in the whole
	 * cluster, instead of what '@OncePerTick' says, or the default.
	 * @param recoverWithin How long after its time a tick whose node has died, or that no
	 * node ran, is made up for. Instead of what '@OncePerTick' says; 0 turns it off.
	 * @param maxAttempts How often one tick may begin to run, if it may be made up for.
	 * By default 3.
	 * @param shardsPerNode How many shards of one tick a node runs at once, on the
	 * scheduler of the job. By default 1.
	 * @since 0.1.0
	 */
	public record Lock(@Name("wait") @Nullable String maxWait, @Nullable Boolean unguarded, @Nullable Boolean cache,
			@Nullable Boolean oncePerTick, @Nullable Duration recoverWithin, @Nullable Integer maxAttempts,
			@Nullable Integer shardsPerNode) {

		static final Lock UNSET = new Lock(null, null, null, null, null, null, null);

		Lock orElse(Lock other) {
			return new Lock((this.maxWait != null) ? this.maxWait : other.maxWait,
					(this.unguarded != null) ? this.unguarded : other.unguarded,
					(this.cache != null) ? this.cache : other.cache,
					(this.oncePerTick != null) ? this.oncePerTick : other.oncePerTick,
					(this.recoverWithin != null) ? this.recoverWithin : other.recoverWithin,
					(this.maxAttempts != null) ? this.maxAttempts : other.maxAttempts,
					(this.shardsPerNode != null) ? this.shardsPerNode : other.shardsPerNode);
		}

		/**
		 * Read the timeout.
		 * @return the time, or {@code null} if there is none
		 * @throws IllegalArgumentException if the text is no duration
		 */
		@Nullable Duration waitTime() {
			String text = (this.maxWait != null) ? this.maxWait.strip() : "";
			if (text.isEmpty()) {
				return null;
			}
			if (text.equalsIgnoreCase("forever")) {
				return LockRequest.FOREVER;
			}
			try {
				return DurationFormatterUtils.detectAndParse(text, Unit.MILLIS);
			}
			catch (IllegalArgumentException ex) {
				throw new IllegalArgumentException("'" + text
						+ "' is not a duration: use a text like 5s, PT5S or 500ms, 0 for one attempt without waiting, or forever",
						ex);
			}
		}

	}

}
