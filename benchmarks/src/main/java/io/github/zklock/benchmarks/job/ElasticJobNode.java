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

package io.github.zklock.benchmarks.job;

import org.apache.shardingsphere.elasticjob.api.JobConfiguration;
import org.apache.shardingsphere.elasticjob.lite.api.bootstrap.impl.ScheduleJobBootstrap;
import org.apache.shardingsphere.elasticjob.lite.lifecycle.api.JobAPIFactory;
import org.apache.shardingsphere.elasticjob.lite.lifecycle.api.JobOperateAPI;
import org.apache.shardingsphere.elasticjob.reg.zookeeper.ZookeeperConfiguration;
import org.apache.shardingsphere.elasticjob.reg.zookeeper.ZookeeperRegistryCenter;
import org.apache.shardingsphere.elasticjob.simple.job.SimpleJob;

/**
 * A node with ElasticJob.
 *
 * @since 0.1.0
 */
public final class ElasticJobNode {

	private static final String NAMESPACE = "jobs";

	private ElasticJobNode() {
	}

	/**
	 * Run the job until the input ends.
	 * @param arguments the connect string and the {@linkplain JobPlan plan}
	 * @throws Exception if that fails
	 */
	public static void main(String[] arguments) throws Exception {
		JobPlan plan = JobPlan.of(arguments);
		JobBody body = new JobBody(plan);
		ZookeeperConfiguration configuration = new ZookeeperConfiguration(arguments[0], NAMESPACE);
		configuration.setSessionTimeoutMilliseconds(JobPeer.SESSION_MILLIS);
		ZookeeperRegistryCenter center = new ZookeeperRegistryCenter(configuration);
		center.init();
		// The defaults of the builder, which are not the defaults of Spring Boot's
		// properties, but for the failover.
		JobConfiguration job = JobConfiguration.newBuilder(JobPlan.JOB, JobPlan.ITEMS)
			.cron(plan.seconds() + " * * * ?")
			.timeZone("GMT")
			.monitorExecution(true)
			.failover(true)
			.misfire(true)
			.reconcileIntervalMinutes(10)
			.build();
		SimpleJob items = (context) -> body.run(context.getShardingItem(), "-");
		new ScheduleJobBootstrap(center, items, job).schedule();
		JobOperateAPI operations = JobAPIFactory.createJobOperateAPI(arguments[0], NAMESPACE, null);
		JobCommands.obey(() -> operations.disable(JobPlan.JOB, null), () -> operations.enable(JobPlan.JOB, null));
	}

}
