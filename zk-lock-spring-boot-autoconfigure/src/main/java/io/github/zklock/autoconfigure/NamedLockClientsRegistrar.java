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

import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.curator.framework.CuratorFramework;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers the clients beside the default one, and what an application may want of them:
 * the {@code CuratorFramework} and the provider of each, by the qualifier of its name. By
 * their type alone the application finds those of the default client, as without others.
 */
class NamedLockClientsRegistrar implements ImportBeanDefinitionRegistrar {

	private final Environment environment;

	NamedLockClientsRegistrar(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void registerBeanDefinitions(AnnotationMetadata importingClassMetadata, BeanDefinitionRegistry registry) {
		PropertiesByName.clients(this.environment).forEach((name) -> register(name, registry));
	}

	private static void register(String name, BeanDefinitionRegistry registry) {
		// No name of a client has a dot, so no two beans can have the same name.
		String owner = "zkLockClient." + name;
		RootBeanDefinition client = new RootBeanDefinition(NamedLockClient.class);
		client.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
		client.setAutowireMode(RootBeanDefinition.AUTOWIRE_CONSTRUCTOR);
		registry.registerBeanDefinition(owner, client);
		registry.registerBeanDefinition(owner + ".curatorFramework",
				part(name, owner, CuratorFramework.class, "client"));
		registry.registerBeanDefinition(owner + ".provider",
				part(name, owner, ZooKeeperLockProvider.class, "provider"));
	}

	// The client ends it, in its order.
	private static RootBeanDefinition part(String name, String owner, Class<?> type, String method) {
		RootBeanDefinition part = new RootBeanDefinition();
		part.setTargetType(type);
		part.setFactoryBeanName(owner);
		part.setFactoryMethodName(method);
		part.setDestroyMethodName("");
		part.setDefaultCandidate(false);
		part.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
		return part;
	}

}
