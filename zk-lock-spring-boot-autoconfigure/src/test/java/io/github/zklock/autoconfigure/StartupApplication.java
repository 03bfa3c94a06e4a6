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

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.management.ManagementFactory;
import java.util.Locale;

import io.github.zklock.annotation.DistributedLock;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;

import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.util.Assert;

/**
 * Starts a small application with a client for ZooKeeper, and prints what that has cost.
 */
public final class StartupApplication {

	private StartupApplication() {
	}

	public static void main(String[] args) throws Exception {
		long start = System.nanoTime();
		Class<?> application = Class.forName(args[0]);
		try (ConfigurableApplicationContext context = SpringApplication.run(application, args[1])) {
			double millis = (System.nanoTime() - start) / 1e6;
			double cpuMillis = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e6;
			context.getBean(CuratorFramework.class).blockUntilConnected();
			System.out.printf(Locale.ROOT, "started %.1f %.1f %d %d%n", millis, cpuMillis,
					context.getBeanDefinitionCount(),
					ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount());
			Class<?> bean = (application == WithZkLock.class) ? Guarded.class : Plain.class;
			Assert.state(AopUtils.isCglibProxy(context.getBean(bean)) == (application != WithCurator.class),
					"The bean should have a proxy unless the client is bare");
		}
	}

	/**
	 * With a bare client.
	 */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Plain.class)
	static class WithCurator {

		@Bean(initMethod = "start")
		CuratorFramework client(@Value("${zk-lock.connect-string}") String servers) {
			return CuratorFrameworkFactory.newClient(servers, new RetryOneTime(100));
		}

	}

	/**
	 * With a bare client, and another library's advice around the bean, like that of
	 * transactions: the first proxy of an application costs a part of what the starter
	 * does.
	 */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WithAdvice extends WithCurator {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static DefaultPointcutAdvisor advisor() {
			return new DefaultPointcutAdvisor(new AnnotationMatchingPointcut(null, Advised.class, true),
					(MethodInterceptor) MethodInvocation::proceed);
		}

	}

	/**
	 * With the starter.
	 */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Guarded.class)
	static class WithZkLock {

	}

	@Retention(RetentionPolicy.RUNTIME)
	@interface Advised {

	}

	static class Plain {

		@Advised
		void run() {
		}

	}

	static class Guarded {

		@DistributedLock("guarded")
		void run() {
		}

	}

}
