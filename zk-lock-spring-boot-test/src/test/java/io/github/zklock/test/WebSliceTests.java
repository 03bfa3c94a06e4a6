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

package io.github.zklock.test;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.result.MockMvcResultMatchers;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AutoConfigureZkLock} beside a slice, whose annotation has another
 * package on the 4.x lines of Spring Boot, where it is not on the class path here.
 */
@WebMvcTest(properties = "spring.main.web-application-type=servlet")
@AutoConfigureZkLock
@ContextConfiguration(classes = WebSliceTests.Shop.class)
@EnabledIf("hasSlice")
class WebSliceTests {

	@Autowired(required = false)
	MockMvc mvc;

	@Autowired(required = false)
	LockTesting locks;

	static boolean hasSlice() {
		return ClassUtils.isPresent("org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest", null);
	}

	@Test
	void takenOrderIsAConflict() throws Exception {
		this.locks.hold("order:42");
		this.mvc.perform(MockMvcRequestBuilders.post("/orders/42/shipment"))
			.andExpect(MockMvcResultMatchers.status().isConflict());
	}

	@Test
	void controllerIsGuarded(@Autowired ApplicationContext context) throws Exception {
		assertThat(AopUtils.isAopProxy(context.getBean(Controller.class))).isTrue();
		assertThat(context.getBeanProvider(CuratorFramework.class)).isEmpty();
		this.mvc.perform(MockMvcRequestBuilders.post("/orders/42/shipment"))
			.andExpect(MockMvcResultMatchers.content().string("order:42"));
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Controller.class)
	static class Shop {

	}

	@RestController
	static class Controller {

		@PostMapping("/orders/{id}/shipment")
		@DistributedLock(key = "order:#{#id}", waitMs = 0)
		String ship(@PathVariable("id") long id) {
			return LockHandle.current().key();
		}

	}

}
